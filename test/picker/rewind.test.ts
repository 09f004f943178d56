import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { saidIn, sessionFiles } from '../conversation/played-session.ts';
import { put } from '../support/scene.ts';
import { whyNoTerminal } from '../support/terminal.ts';
import { BACK_IN_SHELL, chooseRow, openMenu, openPicker, text, threeTurns } from './picked.ts';

const reason = whyNoTerminal();
if (reason !== null) console.warn(`Skipped: ${reason}`);

describe.skipIf(reason !== null)('[UI-2] the picker', () => {
  test('shows turns newest first, goes back to one by the plan that it shows, and undoes that where it is told', async () => {
    const at = await threeTurns();
    const before = readFileSync(at.session.path);
    const terminal = await openPicker(at);
    await terminal.shows(/now[\s\S]*t3 .*2 files \+2 -1 .*do the work 3[\s\S]*t2 .*do the work 2[\s\S]*t1 .*do the work 1/);
    await openMenu(terminal, 'do the work 2');
    await terminal.shows('❯ Code and conversation');
    await terminal.shows('1 file restored, 2 files deleted');
    await terminal.shows('without its last 8 messages (2 turns)');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    expect(text(at, 'file')).toBe('line of 3\n');
    terminal.press('Enter');
    await terminal.shows('Done: 1 file restored, 2 files deleted');
    await terminal.shows(/claude --resume/);
    await terminal.shows(/for editing:\s+do the work 2/);
    expect([text(at, 'file'), text(at, 'made-1'), text(at, 'made-2'), text(at, 'made-3')]).toEqual([
      'line of 1\n',
      'made\n',
      undefined,
      undefined,
    ]);
    expect(readFileSync(at.session.path)).toEqual(before);
    expect(sessionFiles(at)).toHaveLength(2);
    terminal.press('u');
    await terminal.shows('Undo: back to');
    terminal.press('Enter');
    await terminal.shows('Done: 1 file restored, 2 files created');
    expect([text(at, 'file'), text(at, 'made-2'), text(at, 'made-3')]).toEqual(['line of 3\n', 'made\n', 'made\n']);
    terminal.press('Enter');
    // What was done stays on the screen that stays.
    await terminal.shows(
      /ready> retake\nDone: 1 file restored, 2 files deleted\nDone: 1 file restored, 2 files created\nTo go on: [\s\S]*retake undo [0-9a-f]+\n/,
    );
    expect(terminal.fact('alternate_on')).toBe('0');
    const { rollbacks } = at.retake.json(at.workspace, 'rollbacks');
    expect(rollbacks.map(({ type, scope }: { type: string; scope: string }) => `${type} ${scope}`)).toEqual(['undo both', 'rollback both']);
  });

  test('the code alone, the conversation alone, and back to the list one level at a time', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await openMenu(terminal, 'do the work 3');
    await chooseRow(terminal, '❯ Conversation');
    await terminal.shows('no file changed; the conversation 1 turn back, in a new session');
    await chooseRow(terminal, '❯ Code');
    await terminal.shows('1 file restored, 1 file deleted');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    terminal.press('Escape');
    await terminal.shows('What goes back?');
    terminal.press('Escape');
    await terminal.shows('newest first');
    expect(text(at, 'file')).toBe('line of 3\n');
    await openMenu(terminal, 'do the work 3');
    terminal.press('Down');
    await terminal.shows('❯ Conversation');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    await terminal.shows('without its last 4 messages (1 turn)');
    terminal.press('Enter');
    await terminal.shows('Done: no file changed; the conversation 1 turn back, in a new session');
    expect(text(at, 'file')).toBe('line of 3\n');
    const written = sessionFiles(at).find((name) => !name.startsWith(at.session.id)) ?? '';
    expect(saidIn(at, written.replace('.jsonl', '')).filter((said) => said.startsWith('do the'))).toEqual([
      'do the work 1',
      'do the work 2',
    ]);
    terminal.press('Escape');
    await terminal.shows(BACK_IN_SHELL);
  });

  test('forks and summaries are made from a turn, and the code stays', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await openMenu(terminal, 'do the work 1');
    await terminal.shows('Fork from here (not possible: nothing was said before it)');
    await chooseRow(terminal, '❯ Fork');
    terminal.press('Enter');
    await terminal.shows('! Not possible');
    terminal.press('Escape');
    await terminal.hides('What goes back?');
    for (const [choice, told] of [
      ['Fork from here', 'A new session goes on from here'],
      ['Summarize from here', 'all from here on is replaced by a summary'],
      ['Summarize up to here', 'all up to here is replaced by a summary'],
    ] as const) {
      const files = sessionFiles(at).length;
      await openMenu(terminal, 'do the work 2', 'Up');
      await chooseRow(terminal, `❯ ${choice}`);
      await terminal.shows(told);
      terminal.press('Enter');
      await terminal.shows('This will be done');
      terminal.press('Enter');
      await terminal.shows('Done: session');
      expect(sessionFiles(at)).toHaveLength(files + 1);
      expect(text(at, 'file')).toBe('line of 3\n');
      terminal.press('Enter');
      await terminal.shows(/Done: session[\s\S]*ready>$/);
      await terminal.type(`clear; retake --session ${at.session.id}`);
      await terminal.shows('newest first');
      await chooseRow(terminal, 'do the work 1');
    }
  });

  test('[RST-8] only the files that are chosen go back', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await openMenu(terminal, 'do the work 2');
    await terminal.shows('❯ Code and conversation');
    await chooseRow(terminal, 'Only these files');
    await terminal.shows('1 file restored, 2 files deleted');
    terminal.press('Enter');
    await terminal.shows('Which files?');
    terminal.press('Enter');
    await terminal.shows('! Choose files with Space first');
    await chooseRow(terminal, 'made-3');
    terminal.press('Space');
    await terminal.shows(/❯ \[x\] delete {2}made-3/);
    terminal.press('Enter');
    await terminal.shows('This will be done');
    await terminal.shows(/^1 file deleted$/m);
    terminal.press('Enter');
    await terminal.shows('Done: 1 file deleted');
    expect([text(at, 'file'), text(at, 'made-2'), text(at, 'made-3')]).toEqual(['line of 3\n', 'made\n', undefined]);
  });

  test('[RST-10] edits of the person stay unless they are given up', async () => {
    const at = await threeTurns();
    put(at.workspace, 'mine', 'by hand\n');
    const terminal = await openPicker(at);
    await openMenu(terminal, 'do the work 3');
    await terminal.shows('[x] keep my edits');
    await terminal.shows(/stays.*mine/);
    terminal.press('m');
    await terminal.shows('[ ] keep my edits');
    await terminal.shows(/delete.*mine/);
    terminal.press('m');
    await terminal.shows('[x] keep my edits');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    terminal.press('Enter');
    await terminal.shows('Done: 1 file restored, 1 file deleted');
    expect([text(at, 'mine'), text(at, 'file'), text(at, 'made-3')]).toEqual(['by hand\n', 'line of 2\n', undefined]);
  });

  test('[RST-1] when the workspace moved since the plan was shown, nothing is changed and the new plan is shown', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await openMenu(terminal, 'do the work 3');
    await chooseRow(terminal, '❯ Code');
    await terminal.shows('1 file restored, 1 file deleted');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    put(at.workspace, 'made-3', 'changed meanwhile\n');
    terminal.press('Enter');
    await terminal.shows('! The workspace changed since this plan was shown');
    await terminal.shows('keep my edits');
    expect([text(at, 'file'), text(at, 'made-3')]).toEqual(['line of 3\n', 'changed meanwhile\n']);
    terminal.press('C-c');
    await terminal.shows(BACK_IN_SHELL);
    expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);
  });

  test('what is ended right after it was wanted is not done, and the exit code tells so', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at, {}, 'retake; echo code $?');
    await openMenu(terminal, 'do the work 3');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    await terminal.shows('1 file restored, 1 file deleted');
    // Both at once, before anything could begin.
    terminal.write('\r\u0003');
    await terminal.shows(/retake: Ended before it began; nothing was changed\ncode 1/);
    expect(text(at, 'file')).toBe('line of 3\n');
    expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);
  });
});
