import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, until } from '../daemon/support.ts';
import { systemPath } from '../start/newcomer.ts';
import { BIN } from '../support/cli.ts';
import { linkIn, pageBehind } from '../support/followed-link.ts';
import { observeDirectory } from '../support/oracle.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { install, machine, pack, workspaceIn } from './installed.ts';

const CHECKOUT = join(BIN, '../..');
const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));

test('[AGT-5] the package is the program, its documentation and the plugin: no sources, tests or source maps, no path of where it was made', () => {
  const packed = pack(machine());
  const tops = new Set(packed.files.map((path) => path.split('/')[0]));
  expect([...tops].sort()).toEqual(
    ['.claude-plugin', 'CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'integrations', 'package.json'].sort(),
  );
  expect(packed.files.filter((path) => /\.map$|\.test\.|^docs\/pictures|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(packed.bytes).toBeLessThan(2_500_000);

  const unpacked = temporaryDirectory();
  execFileSync('tar', ['-xzf', packed.tarball, '-C', unpacked]);
  const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(unpacked, path)).isFile());
  expect(files.length).toBe(packed.files.length);
  expect(files.filter((path) => readFileSync(join(unpacked, path)).includes(CHECKOUT))).toEqual([]);
  expect(JSON.parse(readFileSync(join(unpacked, 'package/package.json'), 'utf8')).dependencies).toBeUndefined();
});

test('[UI-1] [UI-4] [AGT-1] installed from its tarball, it records, goes back, serves and sets agents up; uninstalled, only its data is left', async () => {
  const at = machine();
  const retake = install(at, pack(at));
  const workspace = workspaceIn(at.home);
  const run = (...args: string[]) => at.run(retake, '-C', workspace, ...args);
  const json = (...args: string[]) => {
    const { code, stdout, stderr } = run(...args, '--json');
    if (code !== 0) throw new Error(`retake ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  };
  onTestFinished(() => void spawnSync(BIN, ['daemon', 'stop'], { env: at.env }));
  expect(run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });

  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  expect(json('checkpoint', '--name', 'one').status).toBe('complete');
  writeFileSync(join(workspace, 'a.txt'), 'two\n');
  json('rewind', 'one', '--yes');
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n');

  const { pid, link } = json('serve');
  expect(linkIn(link)).toBe(link);
  expect(await pageBehind(link)).toContain('<title>Retake</title>');

  const settings = join(at.home, '.claude/settings.json');
  json('setup', 'claude-code');
  expect(readFileSync(settings, 'utf8')).toContain(join(at.project, 'node_modules/retake/dist/hook.cjs'));
  json('setup', 'claude-code', '--remove');

  at.npm('uninstall', '--offline', '--no-audit', '--no-fund', 'retake');
  await until(() => !isAlive(pid));
  expect(
    readdirSync(at.project)
      .filter((name) => name !== 'node_modules')
      .sort(),
  ).toEqual(['package-lock.json', 'package.json']);
  expect([...observeDirectory(at.project).keys()].filter((path) => path.includes('retake'))).toEqual([]);
  const left = observeDirectory(at.home, { without: (path) => path.startsWith('.local/share/retake/') });
  expect([...left.keys()].sort()).toEqual(['.local', '.local/share', '.local/share/retake', 'work', 'work/a.txt']);
});

test('[AGT-5] the engine can be imported from the package, with its types', () => {
  const at = machine();
  install(at, pack(at));
  const workspace = workspaceIn(at.home);
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  const program = `import { createCheckpoint, Workspace } from 'retake';

const workspace = await Workspace.open({ directory: process.argv[2] ?? '' });
const { checkpoint } = await createCheckpoint(workspace, { name: 'by a program' });
const wrong: boolean = checkpoint.status;
console.log(checkpoint.id, checkpoint.status);
`;
  writeFileSync(join(at.project, 'program.ts'), program);
  const checked = at.run(
    join(CHECKOUT, 'node_modules/.bin/tsc'),
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--typeRoots',
    join(CHECKOUT, 'node_modules/@types'),
    'program.ts',
  );
  expect(checked.stdout).toMatch(/TS2322: Type '.*' is not assignable to type 'boolean'/);
  expect(at.run('node', 'program.ts', workspace)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{40} complete\n$/) });
});

const oldNode = spawnSync('node', ['--version'], { env: { PATH: systemPath() }, encoding: 'utf8' }).stdout?.trim() ?? '';
const [major = 0, minor = 0] = oldNode.slice(1).split('.').map(Number);

test.skipIf(oldNode === '' || major > 22 || (major === 22 && minor >= 13))(
  '[UI-1] with no Node but an older one, the installed program says in one line that it needs a newer one',
  () => {
    const at = machine(systemPath());
    const retake = install(at, pack(at));
    expect(at.run(retake, 'log')).toEqual({
      code: 1,
      stdout: '',
      stderr: `retake: needs Node 22.13 or newer, this is ${oldNode.slice(1)}\n`,
    });
    expect(at.run(retake, 'hook', 'claude-code').code).toBe(0);
  },
);
