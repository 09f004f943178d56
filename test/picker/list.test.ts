import { describe, expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { put, scene } from '../support/scene.ts';
import { whyNoTerminal } from '../support/terminal.ts';
import { BACK_IN_SHELL, chooseRow, openMenu, openPicker, shellIn, text, threeTurns } from './picked.ts';

const reason = whyNoTerminal();
if (reason !== null) console.warn(`Skipped: ${reason}`);

describe.skipIf(reason !== null)('[UI-2] the list of the picker', () => {
  test('is filtered by what is typed: prompts, steps and names; Esc ends that first, then the picker', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    terminal.write('work 2');
    await terminal.shows('Filter: work 2');
    await terminal.shows('1 turn of session');
    await terminal.hides('do the work 3');
    for (let typed = 'work 2'.length; typed > 0; typed--) terminal.press('BSpace');
    await terminal.shows('3 turns of session');
    terminal.write('touch made-1');
    await terminal.shows('1 turn of session');
    await terminal.shows('do the work 1');
    terminal.press('C-u');
    await terminal.shows('3 turns of session');
    terminal.write('nowhere');
    await terminal.shows('Nothing has "nowhere" in it');
    terminal.press('Escape');
    await terminal.shows('do the work 3');
    await terminal.hides('Filter:');
    terminal.press('Escape');
    await terminal.shows(BACK_IN_SHELL);
  });

  test('unfolds the steps of a turn, and goes back to right after one of them', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await chooseRow(terminal, 'do the work 2');
    terminal.press('Right');
    await terminal.shows(/▾ t2 .*\n.*Bash .*1 file \+1 -0 .*Bash: touch made-2\n.*Write .*1 file \+1 -1 .*Write file/);
    terminal.press('Left');
    await terminal.hides('touch made-2');
    terminal.press('Right');
    await openMenu(terminal, 'Write file');
    await chooseRow(terminal, '❯ Code', 'Down');
    terminal.press('Down', 'Down');
    await terminal.shows(/^❯ Code$/m);
    await terminal.shows('1 file restored, 2 files deleted');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    terminal.press('Enter');
    await terminal.shows('Done: 1 file restored, 2 files deleted');
    expect([text(at, 'file'), text(at, 'made-1'), text(at, 'made-2')]).toEqual(['line of 2\n', 'made\n', undefined]);
    terminal.press('Enter');
    await terminal.shows(BACK_IN_SHELL);
    await terminal.type('clear; retake rewind');
    // What went back is marked.
    await terminal.shows(/t3 .*do the work 3 {2}rolled back \(code\)/);
  });

  test('has a pane with what going back would change, beside it or on a screen of its own', async () => {
    const at = await threeTurns();
    put(at.workspace, 'made-3', Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join(''));
    const terminal = await openPicker(at);
    await chooseRow(terminal, 'do the work 3');
    expect(terminal.screen()).not.toContain('would change');
    terminal.press('Tab');
    await terminal.shows(/» Going back to t3 .*would change\n2 files\nM file {2}\+1 -1\nD made-3 {2}\+0 -60\n/);
    await terminal.shows('-line of 3\n+line of 2');
    terminal.write('nn');
    await terminal.shows(/would change\nD made-3\n@@ -1,60 \+0,0 @@\n-line 0\n/);
    terminal.press('End');
    await terminal.shows('-line 59');
    terminal.press('Home', 'C-d');
    await terminal.shows(/t3 .*changed\n2 files\nM file {2}\+1 -1\nA made-3 {2}\+1 -0\n/);
    terminal.press('Tab');
    await terminal.shows('now');
    terminal.resize(140, 30);
    await terminal.shows(/│ t3 .*changed/);
    await chooseRow(terminal, 'do the work 2');
    terminal.press('C-d');
    await terminal.shows(/│ Going back to t2 .*would change/);
    await terminal.shows('│ D made-2  +0 -1');
  });

  test('shows everything that was recorded, also by hand, on request; and another session where one is named', async () => {
    const at = await threeTurns();
    put(at.workspace, 'by-hand', 'x\n');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'mine', '--note', 'a good state');
    const terminal = await openPicker(at);
    expect(terminal.screen()).not.toContain('mine');
    terminal.press('C-o');
    await terminal.shows(/records, newest first/);
    await terminal.shows(/manual .*1 file \+1 -0 .*mine: .*“a good state” {2}yours/);
    terminal.press('C-o');
    await terminal.shows('3 turns of session');
    terminal.press('C-c');
    await terminal.shows(BACK_IN_SHELL);
    const other = new PlayedSession(at);
    await other.start();
    await other.prompt('something else');
    await other.step('Write', {}, () => put(at.workspace, 'other', 'x\n'));
    await other.answer('done');
    await terminal.type('clear; retake');
    await terminal.shows(/t1 .*something else/);
    terminal.press('C-c');
    await terminal.shows(BACK_IN_SHELL);
    await terminal.type(`clear; retake --session ${at.session.id.slice(0, 8)}`);
    await terminal.shows(/t3 .*do the work 3/);
    terminal.press('C-c');
    await terminal.shows(BACK_IN_SHELL);
    await terminal.type('clear; retake --session nobody; echo code $?');
    await terminal.shows('There is no session "nobody" here');
    await terminal.shows('code 1');
  });

  test('follows what others record meanwhile when it is read again', async () => {
    const at = await threeTurns();
    const terminal = await openPicker(at);
    await chooseRow(terminal, 'do the work 3');
    await at.session.prompt('do the work 4');
    await at.session.step('Write', {}, () => put(at.workspace, 'file', 'line of 4\n'));
    await at.session.answer('did 4');
    terminal.press('C-r');
    await terminal.shows(/t4 .*do the work 4[\s\S]*❯ ▸ t3 .*do the work 3/);
  });

  test('without any session has the checkpoints that people made, and no conversation to go back', async () => {
    const at = scene();
    put(at.workspace, 'file', 'one\n');
    const terminal = await shellIn(at);
    await terminal.type('retake; echo code $?');
    await terminal.shows('Nothing is recorded here yet');
    await terminal.shows('code 0');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'first');
    put(at.workspace, 'file', 'two\n');
    await terminal.type('clear; retake');
    await openMenu(terminal, 'first');
    await terminal.shows(/ Conversation \(not possible: Checkpoint [0-9a-f]+ belongs to no conversation\)/);
    await terminal.shows(/^❯ Code$/m);
    terminal.press('Up', 'Up');
    await terminal.shows(/❯ Code and conv[\s\S]*Not possible: Checkpoint [0-9a-f]+ belongs to no conversation/);
    terminal.press('Down', 'Down');
    await terminal.shows('1 file restored');
    terminal.press('Enter');
    await terminal.shows('This will be done');
    terminal.press('Enter');
    await terminal.shows('Done: 1 file restored');
    expect(text(at, 'file')).toBe('one\n');
  });
});
