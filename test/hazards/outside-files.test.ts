import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

interface Outside {
  readonly at: Scene;
  readonly session: PlayedSession;
  /** Edited by the agent, and made by it. */
  readonly edited: string;
  readonly made: string;
}

/** One turn in which an agent edits a file outside and one inside, makes another outside, and commits. */
const play = async (): Promise<Outside> => {
  const at = repositoryScene();
  const { workspace } = at;
  put(workspace, 'inside', 'before');
  commitAll(workspace, 'begin');
  const folder = temporaryDirectory();
  const [edited, made] = [put(folder, 'edited', 'before', 0o600), join(folder, 'made')];
  const session = new PlayedSession(at);
  await session.prompt('Do it');
  await session.step('Edit', { file_path: edited }, () => writeFileSync(edited, 'after'));
  await session.step('Write', { file_path: made }, () => writeFileSync(made, 'made'));
  await session.step('Bash', { command: 'git commit' }, () => {
    put(workspace, 'inside', 'after');
    commitAll(workspace, 'by the agent');
  });
  return { at, session, edited, made };
};

const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);

const stateOf = ({ at, edited, made }: Outside) => [read(join(at.workspace, 'inside')), read(edited), read(made)];

const BEFORE = ['before', 'before', null];
const AFTER = ['after', 'after', 'made'];

const rewind = ({ at }: Outside, ...flags: string[]) => at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', ...flags);

/** What the log says of each step. */
const stepsOf = ({ at }: Outside) =>
  at.retake
    .json(at.workspace, 'log')
    .operations.filter(({ kind }: { kind: string }) => kind === 'after-step')
    .reverse()
    .map(({ rolledBack, remaining }: { rolledBack: string | null; remaining: unknown }) => [rolledBack, remaining]);

test('[RST-6] a plan that leaves files outside behind names them; the steps are then only partly rolled back', async () => {
  const scene = await play();
  const { at, edited, made } = scene;
  const plan = rewind(scene, '--dry-run');
  expect(plan.outside).toEqual({
    operations: [],
    left: [edited, made].map((path) => ({ path, reason: expect.stringContaining('outside the workspace') })),
  });
  expect(plan.warnings).toContainEqual(expect.stringContaining(edited));
  // Those that only changed files outside are none of the steps that are counted and listed.
  expect(plan.leavesBehind.steps).toHaveLength(plan.goesBack.steps);
  rewind(scene, '--yes');
  expect(stateOf(scene)).toEqual(['before', 'after', 'made']);
  expect(stepsOf(scene)).toEqual([
    ['code', { outside: [edited], git: false }],
    ['code', { outside: [made], git: false }],
    ['code', { outside: [], git: true }],
  ]);
  const log = at.retake.run(at.workspace, 'log').stdout;
  expect(log).toContain(`partly rolled back (code): still there: ${edited}`);
  expect(log).toContain('partly rolled back (code): still there: git');
  expect(at.retake.run(at.workspace, 'report', scene.session.id).stdout).toContain('partly rolled back');
  // They can still be taken back, after which nothing of the two is there any more.
  rewind(scene, '--outside', '--yes');
  expect(stateOf(scene)).toEqual(BEFORE);
  expect(stepsOf(scene)).toEqual([
    ['code', null],
    ['code', null],
    ['code', { outside: [], git: true }],
  ]);
});

test('[RST-6] [RST-7] --outside takes them back exactly and only when confirmed; undo and redo bring them forth and back again', async () => {
  const scene = await play();
  const { at, edited, made } = scene;
  const refused = at.retake.run(at.workspace, 'rewind', 't1', '--scope', 'code', '--outside', '--json');
  expect(refused.json.error.code).toBe('needs-confirmation');
  expect(stateOf(scene)).toEqual(AFTER);
  chmodSync(edited, 0o640);
  const done = rewind(scene, '--outside', '--git', '--no-keep-mine', '--yes');
  expect(done.outside.operations).toEqual([
    { type: 'restore', path: edited },
    { type: 'delete', path: made },
  ]);
  expect(stateOf(scene)).toEqual(BEFORE);
  expect(statSync(edited).mode & 0o777).toBe(0o600);
  expect(gitIn(at.workspace, 'log', '--format=%s').trim()).toBe('begin');
  expect(stepsOf(scene).map(([, remaining]: unknown[]) => remaining)).toEqual([null, null, null]);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(stateOf(scene)).toEqual(AFTER);
  expect(statSync(edited).mode & 0o777).toBe(0o640);
  expect(stepsOf(scene)).toEqual([null, null, null].map((none) => [none, null]));
  at.retake.json(at.workspace, 'redo', '--yes');
  expect(stateOf(scene)).toEqual(BEFORE);
  expect(readdirSync(dirname(edited))).toEqual(['edited']);
  expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
});

test('[RST-6] what somebody else changed outside since is said, kept with --keep-mine, and never lost', async () => {
  const scene = await play();
  const { at, edited } = scene;
  writeFileSync(edited, 'mine');
  const kept = rewind(scene, '--outside', '--dry-run');
  expect(kept.keepMine).toBe(true);
  expect(kept.outside.left).toEqual([{ path: edited, reason: 'it was changed since the agent left it' }]);
  const plan = rewind(scene, '--outside', '--no-keep-mine', '--dry-run');
  expect(plan.warnings).toContainEqual(expect.stringMatching(/1 of the files outside changed since/));
  rewind(scene, '--outside', '--no-keep-mine', '--yes');
  expect(stateOf(scene)).toEqual(BEFORE);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(read(edited)).toBe('mine');
});

test('[RST-6] a directory that became a link, a file that became something else, or a lost past: left alone, and said', async () => {
  const scene = await play();
  const { edited, made } = scene;
  const folder = dirname(edited);
  renameSync(folder, `${folder}-moved`);
  const elsewhere = temporaryDirectory();
  put(elsewhere, 'edited', 'not the one');
  symlinkSync(elsewhere, folder);
  // What is there now is what would be written, by its name and as the plan says; the one that moved away is not touched.
  rewind(scene, '--outside', '--yes');
  expect(read(join(`${folder}-moved`, 'edited'))).toBe('after');
  rmSync(folder);
  mkdirSync(join(folder, 'edited'), { recursive: true });
  symlinkSync('/etc/hostname', made);
  expect(rewind(scene, '--outside', '--dry-run').outside).toMatchObject({ operations: [], left: [{ path: edited }, { path: made }] });
});

test('[RST-6] --outside goes with all of the code only', async () => {
  const { at } = await play();
  for (const flags of [
    ['--path', 'inside'],
    ['--by', 'turn=1'],
  ]) {
    const { json } = at.retake.run(at.workspace, 'rewind', 't1', '--scope', 'code', '--outside', ...flags, '--json');
    expect(json.error.code).toBe('usage');
  }
});
