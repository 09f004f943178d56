import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene, isAlive } from '../daemon/support.ts';
import { put, type Scene } from '../support/scene.ts';
import { type Terminal, whyNoTerminal } from '../support/terminal.ts';
import { BACK_IN_SHELL, chooseRow, openMenu, openPicker, shellIn, text, threeTurns } from './picked.ts';

const reason = whyNoTerminal();
if (reason !== null) console.warn(`Skipped: ${reason}`);

/** The picker as a process whose id is known. */
const openKnown = async (at: Scene): Promise<{ terminal: Terminal; pid: number }> => {
  const file = join(at.retake.home, 'picker-pid');
  const terminal = await openPicker(at, {}, `sh -c 'echo $$ > ${file}; exec retake'`);
  return { terminal, pid: Number(readFileSync(file, 'utf8')) };
};

/** The terminal is as a shell needs it: the main screen, a cursor, lines that are echoed. */
const isUsable = async (terminal: Terminal): Promise<void> => {
  await terminal.shows(BACK_IN_SHELL);
  expect([terminal.fact('alternate_on'), terminal.fact('cursor_flag')]).toEqual(['0', '1']);
  await terminal.type('clear; stty -a');
  await terminal.shows('icanon');
  expect(terminal.screen()).toMatch(/(^|\s)icanon/);
  expect(terminal.screen()).toMatch(/(^|\s)echo(\s|;)/);
};

describe.skipIf(reason !== null)('[UI-2] the terminal', () => {
  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('is usable after %s', async (signal) => {
    const at = await threeTurns();
    const { terminal, pid } = await openKnown(at);
    expect(terminal.fact('alternate_on')).toBe('1');
    process.kill(pid, signal);
    await isUsable(terminal);
    expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);
  });

  test('is usable after something that nobody expected, which is told', async () => {
    const at = await threeTurns();
    const now = join(at.retake.home, 'fail-now');
    const fault = put(
      at.retake.home,
      'fault.cjs',
      `if (process.argv[1].endsWith('start.cjs'))
        setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(now)})) throw new Error('boom'); }, 20).unref();`,
    );
    const terminal = await openPicker(at, { columns: 160 }, `NODE_OPTIONS='--require ${fault}' retake; echo code $?`);
    put(at.retake.home, 'fail-now');
    await terminal.shows('Error: boom');
    await terminal.shows('code 1');
    await isUsable(terminal);
  });

  test('is usable after Ctrl-C at every level, and nothing has changed', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    terminal.press('C-c');
    await isUsable(terminal);
    await terminal.type('clear; retake');
    await openMenu(terminal, 'do the work 2');
    terminal.press('C-c');
    await isUsable(terminal);
    await terminal.type('clear; retake');
    await openMenu(terminal, 'do the work 2');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    terminal.press('C-c');
    await isUsable(terminal);
    expect(text(at, 'file')).toBe('line of 3\n');
    expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);
  });

  test('may go away: the picker ends', async () => {
    const at = await threeTurns();
    const { terminal, pid } = await openKnown(at);
    expect(isAlive(pid)).toBe(true);
    terminal.takeAway();
    await expect.poll(() => isAlive(pid), { timeout: 120_000 }).toBe(false);
  });

  test('may change its size, also to one that is too small', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await openMenu(terminal, 'do the work 2');
    terminal.resize(60, 15);
    await terminal.until(() => terminal.fact('pane_width') === '60', 'was not resized');
    await terminal.shows('❯ Code and conversation');
    await terminal.shows('more lines below');
    await terminal.shows('^C quit');
    terminal.press('PageDown', 'End');
    await terminal.shows('It can be undone until');
    terminal.press('Escape');
    await terminal.shows(/❯ ▸ t2 .*do the work 2/);
    await terminal.shows('Esc quit');
    terminal.resize(30, 6);
    await terminal.shows('30×6 here');
    await terminal.shows('40×8 needed');
    terminal.resize(80, 24);
    await terminal.shows(/❯ ▸ t2 .*2 files \+2 -1 .*do the work 2/);
    const [title = '', ...rest] = terminal.screen().split('\n');
    expect(title).toMatch(/^Retake › 3 turns/);
    expect(rest.filter((line) => line.includes('Retake ›'))).toEqual([]);
  });

  test('has no colours under NO_COLOR, and what is chosen is marked all the same', async () => {
    const at = await threeTurns();
    const coloured = await openPicker(at, { columns: 120 });
    await coloured.shows('+2 -1');
    expect(coloured.painted()).toContain('\u001b[');
    const terminal = await openPicker(at, { columns: 120, env: { NO_COLOR: '1' } });
    await chooseRow(terminal, 'do the work 2');
    await terminal.shows('would change');
    await terminal.shows('+line of 1');
    expect(terminal.painted()).not.toContain('\u001b');
    terminal.press('Enter');
    await terminal.shows('1 file restored, 2 files deleted');
    expect(terminal.painted()).not.toContain('\u001b');
  });

  test('is not at the mercy of what prompts and files are called, and wide characters keep their columns', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    const session = new PlayedSession(at);
    await session.start();
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eevil\u0000 prompt';
    for (const prompt of [hostile, '日本語のプロンプトです', '👨‍👩‍👧 family 👍🏽', 'plain']) {
      await session.prompt(prompt);
      await session.step('Write', {}, () => put(at.workspace, `name\u001b[31m-${prompt.length}`, 'x\n'));
      await session.answer('done');
    }
    const terminal = await openPicker(at, { columns: 240 });
    await terminal.shows('\\x1b[2J\\x1b]0;owned\\x07\\x9b31m\\u{202e}evil\\x00 prompt');
    expect(terminal.fact('pane_title')).not.toContain('owned');
    await terminal.shows('日本語のプロンプトです');
    await chooseRow(terminal, 'family');
    await terminal.shows('│ D name\\x1b[31m-5');
    await terminal.until(() => {
      const rows = terminal
        .screen()
        .split('\n')
        .filter((line) => line.includes('│'));
      return rows.length > 10 && new Set(rows.map(columnOfRule)).size === 1;
    }, 'the columns are not one below the other');
    await openMenu(terminal, 'evil');
    await terminal.shows('\\x1b[2J');
    expect(terminal.screen()).not.toContain('\u202e');
  });

  test('[CLI] is needed: without one there is help, or wrong usage; --json never opens it', async () => {
    const at = await threeTurns();
    const bare = at.retake.run(at.workspace);
    expect(bare.stderr + bare.stdout).toContain('Usage: retake');
    expect(at.retake.run(at.workspace, 'rewind').code).toBe(2);
    expect(at.retake.run(at.workspace, 'rewind', '--json')).toMatchObject({ code: 2, json: { error: { code: 'usage' } } });
    const terminal = await shellIn(at);
    await terminal.type('retake rewind --json; echo code $?');
    await terminal.shows('code 2');
    expect(terminal.screen()).toContain('"code": "usage"');
    // What is said of a target that is not there is not just dropped.
    await terminal.type('clear; retake rewind --dry-run; echo code $?');
    await terminal.shows('Which checkpoint?');
    await terminal.shows('code 2');
    expect(existsSync(join(at.workspace, 'made-3'))).toBe(true);
  });
});

/** In cells: what tmux shows of a wide character takes two. */
const columnOfRule = (line: string): number =>
  [...line.slice(0, line.indexOf('│'))].reduce(
    (sum, sign) => sum + (/[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{1f300}-\u{1faff}]/u.test(sign) ? 2 : 1),
    0,
  );
