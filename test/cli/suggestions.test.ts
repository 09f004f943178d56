import { expect, test } from 'vitest';
import { nearest } from '../../src/model/index.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, scene } from '../support/scene.ts';

test.each([
  ['a verb', ['rewnd', 't3'], 'rewind'],
  ['an option', ['log', '--sesion', 'x'], '--session'],
  ['an option with its value', ['rewind', 'x', '--scop=code'], '--scope'],
  ['an option of the program', ['log', '--jsn'], '--json'],
  ['a choice', ['rewind', 'x', '--scope', 'cod'], 'code'],
  ['a shell', ['completion', 'bsh'], 'bash'],
  ['a verb that help is wanted of', ['help', 'rewid'], 'rewind'],
  ['a verb of a verb', ['daemon', 'strat'], 'start'],
  ['an agent', ['setup', 'claude-cod'], 'claude-code'],
])('[UI-1] a slip in %s is refused with what may have been meant', (_, line, meant) => {
  const at = scene();
  const run = (...args: string[]) => at.retake.run(at.workspace, ...args);
  const { message } = expectRefusal(run, line, 'usage', 2);
  expect(message).toMatch(new RegExp(`did you mean (.* or )?${meant}( or .*)?\\?$`));
  expect(run(...line, '--json').json.error.details.suggestions).toContain(meant);
});

test('[UI-1] what is like nothing is refused without a guess, and says where it is told', () => {
  const at = scene();
  const { message, hint } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['qqqqqq'], 'usage', 2);
  expect(message).not.toContain('did you mean');
  expect(hint).toContain('retake --help');
});

test('[CKP-6] a name that is nearly one is refused with the one it may be, a setting likewise', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'before-refactor');
  put(at.workspace, 'file', '2');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'all green');
  const run = (...args: string[]) => at.retake.run(at.workspace, ...args);
  expect(expectRefusal(run, ['rewind', 'befor-refactor', '--yes'], 'unknown-id').message).toMatch(/; did you mean before-refactor\?$/);
  expect(expectRefusal(run, ['show', 'all gren'], 'unknown-id').message).toMatch(/; did you mean "all green"\?$/);
  expect(run('show', 'befor-refactor', '--json').json.error.details).toEqual({ suggestions: ['before-refactor'] });
  expect(expectRefusal(run, ['settings', 'retention.day'], 'bad-setting').message).toContain('did you mean retention.days');
  expect(expectRefusal(run, ['sessions', 'locl'], 'unknown-id').hint).toContain('retake ');
});

test('[CKP-6] a session that is nearly one is refused with the one it may be', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint', '--session', 'refactoring');
  const { message } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['export', 'refctoring'], 'unknown-id');
  expect(message).toContain('did you mean refactoring?');
});

test('[UI-1] letters left out, added, changed or swapped are slips; too many of them are another word', () => {
  const known = ['rewind', 'revert', 'redo', 'report'];
  for (const slip of ['rewnd', 'rewinnd', 'rewimd', 'reiwnd', 'REWIND']) expect(nearest(slip, known)[0], slip).toBe('rewind');
  expect(nearest('rew', known)).toContain('rewind');
  expect(nearest('checkpoint', known)).toEqual([]);
  expect(nearest('', known)).toEqual([]);
  expect(nearest('a'.repeat(10_000), known)).toEqual([]);
});
