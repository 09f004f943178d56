import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { put, repositoryScene, type Scene, scene } from '../support/scene.ts';

/** What somebody may try who has nothing yet, or names something that is not there. */
const ATTEMPTS: readonly (readonly string[])[] = [
  ['status'],
  ['log'],
  ['log', '--session', 'nobody'],
  ['search', 'something'],
  ['show', 'nothing'],
  ['show', '@-1'],
  ['diff', '@-7'],
  ['blame', 'nothing'],
  ['note', 'nothing', 'text'],
  ['pin', 'nothing'],
  ['delete', 'nothing'],
  ['rewind'],
  ['rewind', 't3'],
  ['undo'],
  ['redo'],
  ['rollbacks'],
  ['discard'],
  ['revert', 't1'],
  ['recover', 'nothing'],
  ['recover'],
  ['recover', '--continue'],
  ['sessions'],
  ['sessions', 'nobody'],
  ['fork', 't1'],
  ['summarize', 't1'],
  ['report', 'nobody'],
  ['forks'],
  ['compare', '@', 'other'],
  ['switch', 'other'],
  ['merge', 'one', 'other'],
  ['keep'],
  ['branch', '@-9'],
  ['adopt'],
  ['export', 'nobody'],
  ['import', 'no-such-file'],
  ['daemon'],
  ['daemon', 'stop'],
  ['serve', '--port', '0'],
  ['settings', 'nothing'],
  ['setup', 'nobody'],
  ['completion', 'none'],
  ['help', 'nothing'],
  ['nonsense'],
];

const NEXT = /\bretake (-|[a-z])|\bgit (init|status|switch|log)\b|--dry-run/;

const expectAdvice = (at: Scene, attempt: readonly string[]): void => {
  const { stdout, stderr, code } = at.retake.run(at.workspace, ...attempt);
  const line = attempt.join(' ');
  expect(code, line).toBeLessThanOrEqual(2);
  // What is found needs no advice: it is on standard output.
  if (code !== 0 || stdout === '') expect(stderr.trimEnd().split('\n').at(-1), line).toMatch(NEXT);
  const told = at.retake.run(at.workspace, ...attempt, '--json');
  expect(told.code, line).toBe(code);
  if (code !== 0) expect(told.json.error, line).toMatchObject({ message: expect.any(String), hint: expect.stringMatching(NEXT) });
  else expect(told.json, line).toBeTypeOf('object');
  expect(told.stderr, line).toBe('');
};

test('[UI-1] where nothing is, every refusal and every empty answer names a command that helps, and nothing is made', () => {
  const at = scene();
  for (const attempt of ATTEMPTS) expectAdvice(at, attempt);
  expect(existsSync(at.retake.home) ? readdirSync(at.retake.home, { recursive: true }) : null).toBe(null);
});

test('[UI-1] the same in a repository with a checkpoint, and no agent', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', '1');
  const { stderr } = at.retake.run(at.workspace, 'checkpoint');
  expect(stderr).toMatch(/retake diff [0-9a-f]{10} .* retake rewind [0-9a-f]{10}/);
  for (const attempt of ATTEMPTS) expectAdvice(at, attempt);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[UI-1] every verb is among the attempts, but those that can not come to nothing', () => {
  const tried = new Set(ATTEMPTS.map(([verb]) => verb));
  const always = ['checkpoint', 'reflog', 'health', 'check', 'repair', 'rebuild', 'gc'];
  const names = buildProgram(() => {}).commands.map((command) => command.name());
  expect(names.filter((name) => !tried.has(name)).sort()).toEqual(always.sort());
});

test('[CAP-9] in the home directory, status says that nothing is recorded there, why, and what to do', () => {
  const at = scene();
  const home = at.retake.env.HOME ?? '';
  const { stdout, stderr } = at.retake.run(home, 'status');
  expect(stdout).toContain('the home directory');
  expect(stderr).toContain('capture.allowedRoots');
  expect(at.retake.json(home, 'status').refused).toMatchObject({ hint: expect.stringContaining('capture.allowedRoots') });
  expect(at.retake.json(at.workspace, 'status').refused).toBeNull();
});

test('[CLI] programs are told all that people are: whether a checkpoint is new, what a rollback was, whether a file of settings is gone', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const first = at.retake.json(at.workspace, 'checkpoint');
  expect(first.isNew).toBe(true);
  expect(at.retake.json(at.workspace, 'checkpoint')).toMatchObject({ id: first.id, isNew: false });
  put(at.workspace, 'file', '2');
  at.retake.json(at.workspace, 'rewind', first.id, '--yes');
  expect(at.retake.json(at.workspace, 'rollbacks').rollbacks[0].description).toContain('Rollback to');
  expect(at.retake.json(at.workspace, 'setup', 'claude-code').fileRemoved).toBe(false);
  expect(at.retake.json(at.workspace, 'setup', 'claude-code', '--remove').fileRemoved).toBe(true);
});
