import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * `npm start` shows what Retake does on a small project of its own; `npm start -- DIR` records DIR instead.
 */
const BIN = join(import.meta.dirname, '../bin/retake');
const [directory] = process.argv.slice(2);

if (directory === undefined) demonstrate();
else process.exitCode = spawnSync(BIN, ['-C', resolve(directory), 'checkpoint'], { stdio: 'inherit' }).status ?? 1;

function demonstrate(): void {
  const base = mkdtempSync(join(tmpdir(), 'retake-demo-'));
  const workspace = join(base, 'shop');
  const env = { ...process.env, RETAKE_HOME: join(base, 'data') };
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: workspace, env, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
  const say = (text: string): void => console.log(`\n${text}`);
  const retake = (...args: string[]): void => {
    console.log(`$ retake ${args.join(' ')}`);
    spawnSync(BIN, args, { cwd: workspace, env, stdio: 'inherit' });
  };

  mkdirSync(join(workspace, 'src'), { recursive: true });
  writeFileSync(join(workspace, 'src/cart.ts'), 'export const total = (prices: number[]) => prices.reduce((a, b) => a + b, 0);\n');
  writeFileSync(join(workspace, 'src/tax.ts'), 'export const tax = (sum: number) => sum * 0.19;\n');
  writeFileSync(join(workspace, '.env'), 'KEY=not-in-git\n', { mode: 0o600 });
  writeFileSync(join(workspace, '.gitignore'), '.env\n');
  run('git', 'init', '-q');
  say('A small project. Before an agent works on it, it is recorded:');
  retake('checkpoint', '--name', 'before-the-agent');

  say('The agent edits, deletes and runs the shell, secrets and all:');
  console.log('$ sed -i s/0.19/0.25/ src/tax.ts; rm src/cart.ts; mkdir dist; echo built > dist/out.js; echo KEY=overwritten > .env');
  run('sh', '-c', 'sed -i s/0.19/0.25/ src/tax.ts; rm src/cart.ts; mkdir dist; echo built > dist/out.js; echo KEY=overwritten > .env');
  retake('diff', 'before-the-agent');

  say('Going back is shown first, then done exactly, and can be undone:');
  retake('rewind', 'before-the-agent', '--dry-run');
  retake('rewind', 'before-the-agent', '--yes');
  retake('undo', '--yes');
  retake('redo', '--yes');
  retake('log');

  say("The project's git repository was not touched:");
  console.log('$ git status --short; git stash list');
  process.stdout.write(run('git', 'status', '--short'));
  process.stdout.write(run('git', 'stash', 'list'));

  rmSync(base, { recursive: true, force: true });
  say(`Three things to try in a project of yours:
  ${BIN} -C DIR checkpoint --name first
  ${BIN} -C DIR diff first
  ${BIN} -C DIR rewind first --dry-run`);
}
