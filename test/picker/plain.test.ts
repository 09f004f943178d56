import { describe, expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { put } from '../support/scene.ts';
import { whyNoTerminal } from '../support/terminal.ts';
import { BACK_IN_SHELL, shellIn, text, threeTurns } from './picked.ts';

const reason = whyNoTerminal();
if (reason !== null) console.warn(`Skipped: ${reason}`);

describe.skipIf(reason !== null)('[UI-2] the picker by questions and answers', () => {
  test.each([
    ['--plain', 'retake --plain', {}],
    ['TERM=dumb', 'retake rewind', { TERM: 'dumb' }],
  ])('goes back and undoes with %s, and nothing is drawn over', async (_, command, env) => {
    const at = await threeTurns();
    const terminal = await shellIn(at, { columns: 160, rows: 100 });
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
    await terminal.type(`${variables.join('')}${command}`);
    await terminal.shows(/3 turns of session .*, newest first\n1\. t3, .*2 files \+2 -1: do the work 3\n2\. t2, .*\n3\. t1, .*\n/);
    expect(terminal.fact('alternate_on')).toBe('0');
    await terminal.shows(/\? for help:$/);
    await terminal.type('s 2');
    await terminal.shows(/2\.1\. Bash, .*touch made-2\n2\.2\. Write, .*Write file\n/);
    await terminal.type('/made-1');
    await terminal.shows(/1 turn of session .* with “made-1”, newest first\n1\. t1/);
    await terminal.type('2.1');
    await terminal.shows('There is no 2.1');
    await terminal.type('/');
    await terminal.type('d 1');
    await terminal.shows(/2 files\nM file {2}\+1 -1\nD made-3/);
    await terminal.type('9');
    await terminal.shows('There is no 9');
    await terminal.type('2');
    await terminal.shows(/1\. Code and conversation\n2\. Conversation\n3\. Code\n[\s\S]*8\. Cancel\n/);
    await terminal.type('3');
    await terminal.shows(/1 file restored, 2 files deleted\nLeaves behind 4 steps:\n[\s\S]*\nIt can be undone until .*\ny to do it/);
    await terminal.type('y');
    await terminal.shows('Done: 1 file restored, 2 files deleted');
    expect([text(at, 'file'), text(at, 'made-2')]).toEqual(['line of 1\n', undefined]);
    await terminal.type('u');
    await terminal.shows('Undo: back to');
    await terminal.shows(/created\nIt can be undone until .*\ny to do it/);
    await terminal.type('yes');
    await terminal.shows('Done: 1 file restored, 2 files created');
    expect([text(at, 'file'), text(at, 'made-2')]).toEqual(['line of 3\n', 'made\n']);
    await terminal.type('no');
    await terminal.shows(BACK_IN_SHELL);
    expect(terminal.painted()).not.toContain('\u001b');
  });

  test('[CNV-1] where no code is recorded the conversation goes back, and the code is not possible', async () => {
    const at = await threeTurns();
    const before = new PlayedSession(at);
    before.isUnheard = true;
    await before.start();
    for (const said of ['one', 'two']) {
      await before.prompt(said);
      await before.answer(`${said} answered`);
    }
    const terminal = await shellIn(at, { columns: 160, rows: 100 });
    await terminal.type(`retake rewind --plain --session ${before.id}`);
    await terminal.shows(/\? for help:$/);
    await terminal.type('1');
    await terminal.shows(
      /1\. Code and conversation, not possible: Retake has no record of the code there\n2\. Conversation\n3\. Code, not possible/,
    );
    await terminal.type('2');
    await terminal.shows(/Rewind the conversation to turn 2: two; the code is not recorded there/);
    await terminal.type('y');
    await terminal.shows('Done: no file changed; the conversation 1 turn back, in a new session');
    terminal.press('C-d');
    await terminal.shows(BACK_IN_SHELL);
  });

  test('[RST-8] [RST-10] some files, edits that stay, a no, and the end of the input', async () => {
    const at = await threeTurns();
    put(at.workspace, 'mine', 'by hand\n');
    const terminal = await shellIn(at, { columns: 160, rows: 100 });
    await terminal.type('retake --plain');
    await terminal.shows(/\? for help:$/);
    await terminal.type('1');
    await terminal.shows(/or nothing to return to the list:$/);
    await terminal.type('3');
    await terminal.shows(/stays .*mine[\s\S]*m to give up your own edits, anything else to cancel and return to the list:$/);
    await terminal.type('m');
    await terminal.shows(/delete .*mine[\s\S]*m to keep your own edits, anything else to cancel and return to the list:$/);
    await terminal.type('no');
    await terminal.shows('Nothing was changed');
    await terminal.type('1');
    await terminal.shows(/or nothing to return to the list:$/);
    await terminal.type('7');
    await terminal.shows(/1\. restore file\n2\. delete made-3\nWhich\?/);
    await terminal.type('2-2');
    await terminal.shows(/^1 file deleted\nIt can be undone until .*\ny to do it/m);
    await terminal.type('y');
    await terminal.shows('Done: 1 file deleted');
    expect([text(at, 'file'), text(at, 'made-3'), text(at, 'mine')]).toEqual(['line of 3\n', undefined, 'by hand\n']);
    terminal.press('C-d');
    await terminal.shows(BACK_IN_SHELL);
  });
});
