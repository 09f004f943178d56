import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { runInTerminal, type TerminalRun } from '../support/terminal-run.ts';

const CHECKPOINTS = 30;

/** More checkpoints than a screen has lines. */
const long = (): Scene => {
  const at = scene();
  for (let number = 0; number < CHECKPOINTS; number++) {
    put(at.workspace, 'file', `${number}\n`);
    at.retake.json(at.workspace, 'checkpoint', '--name', `number ${number}`);
  }
  return at;
};

const inTerminal = (at: Scene, args: string, env: Record<string, string> = {}, rows = 10): Promise<TerminalRun> =>
  runInTerminal(`'${BIN}' ${args}`, { directory: at.workspace, env: { ...at.retake.env, ...env }, rows });

test('[UI-1] what is longer than the screen goes through the pager that is wanted: RETAKE_PAGER, else PAGER', async () => {
  const at = long();
  const marked = (name: string) => `sed 's/^/${name}> /'`;
  const both = await inTerminal(at, 'log', { RETAKE_PAGER: marked('ours'), PAGER: marked('theirs') });
  expect(both.shown.match(/^ours> .*number \d+/gm)).toHaveLength(CHECKPOINTS);
  expect(both).toMatchObject({ code: 0, shown: expect.not.stringContaining('theirs>') });
  const theirs = await inTerminal(at, 'log', { PAGER: marked('theirs') });
  expect(theirs.shown.match(/^theirs> .*number \d+/gm)).toHaveLength(CHECKPOINTS);
  for (const args of ['--help', 'diff @-1 @-2 --patch --no-pager', 'log --limit 3']) {
    const { shown } = await inTerminal(at, args, { PAGER: marked('theirs') });
    expect(shown.includes('theirs>'), args).toBe(args === '--help');
  }
});

test('[UI-1] no pager where it is not wanted: --no-pager, an empty one, a tall screen, --json, a pipe', async () => {
  const at = long();
  const PAGER = `touch '${join(at.retake.env.HOME ?? '', 'was-paged')}'; cat`;
  for (const [args, env, rows] of [
    ['log --no-pager', {}, 10],
    ['log', { RETAKE_PAGER: '' }, 10],
    ['log', { TERM: 'dumb' }, 10],
    ['log', {}, CHECKPOINTS + 5],
    ['log --json', {}, 10],
    ['log | cat', {}, 10],
  ] as const) {
    const { shown, code } = await inTerminal(at, args, { PAGER, ...env }, rows);
    expect(code).toBe(0);
    expect(shown, args).toContain('number 0');
  }
  expect(() => readFileSync(join(at.retake.env.HOME ?? '', 'was-paged'))).toThrow('ENOENT');
});

test('[UI-1] a pager that is not there, or is left early, is no error: all is shown, or what was wanted of it', async () => {
  const at = long();
  const missing = await inTerminal(at, 'log', { PAGER: 'no-such-pager-anywhere' });
  expect(missing).toMatchObject({ code: 0, shown: expect.stringContaining('number 0') });
  const early = await inTerminal(at, 'log', { PAGER: 'head -n 2' });
  expect(early.code).toBe(0);
  expect(early.shown.match(/number \d+/g)).toHaveLength(2);
  const nothing = await inTerminal(at, 'log', { PAGER: 'true' });
  expect(nothing).toMatchObject({ code: 0, shown: '' });
});

test('[UI-1] on a terminal the log does not stop at fifty; without one it does, and says so', async () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (let number = 0; number < 60; number++) at.retake.json(at.workspace, 'note', id, `${number}`);
  const { shown } = await inTerminal(at, 'log', { PAGER: 'cat; true' });
  expect(stripVTControlCharacters(shown).match(/^[0-9a-f]{10} {2}/gm)).toHaveLength(61);
  const piped = at.retake.run(at.workspace, 'log');
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(50);
  expect(piped.stderr).toContain('retake log --limit');
});

test('[UI-1] no row of a table is wider than the terminal: what is too long ends in …, and columns stay aligned', async () => {
  const at = scene();
  const names = ['plain', '日本語の名前'.repeat(12), '🎉👩‍👩‍👧 party'.repeat(9), 'a'.repeat(150)];
  for (const [number, name] of names.entries()) {
    put(at.workspace, 'file', `${number}`);
    at.retake.json(at.workspace, 'checkpoint', '--name', name);
  }
  const { shown } = await runInTerminal(`'${BIN}' log`, { directory: at.workspace, env: at.retake.env, columns: 60 });
  const rows = stripVTControlCharacters(shown).trimEnd().split('\r\n');
  expect(rows).toHaveLength(names.length);
  expect(rows.filter((row) => row.endsWith('…'))).toHaveLength(3);
  expect(rows[0]).toHaveLength(60);
  expect(at.retake.run(at.workspace, 'log').stdout).toContain('a'.repeat(150));
});
