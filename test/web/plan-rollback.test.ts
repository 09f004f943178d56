import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { PlayedSession, projectOf, saidIn } from '../conversation/played-session.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture } from './browser.ts';
import {
  AFTER,
  BEFORE,
  buttonIn,
  callPlans,
  changesIn,
  dialogOf,
  eventually,
  expectNoOverflow,
  lastRollback,
  linesIn,
  opened,
  planned,
  read,
  text,
  toastOf,
  twoTurns,
  wantRollback,
  write,
} from './plan-scenes.ts';

const inRepository = (at: Scene): void => {
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  commitAll(at.workspace);
};

browserTest(
  '[RST-1] [RST-7] [UI-4] a rollback is shown exactly, carried out as shown, undone and done again from what is said of it',
  async () => {
    const played = await twoTurns();
    const { at, session } = played;
    const checkpoint = at.retake
      .json(at.workspace, 'log')
      .operations.find(({ kind, turn }: { kind: string; turn: number }) => kind === 'prompt' && turn === 2).id;
    at.retake.json(at.workspace, 'note', checkpoint, 'Before it got\ncomplicated');
    const before = observeWorkspace(at.workspace);
    const visiting = await opened(played);
    const { page } = visiting;
    await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
    const dialog = dialogOf(page);
    const target = dialog.getByRole('region', { name: 'Goes back to' });
    for (const words of ['Go on', 'Before it got', 'Prompt', '1 turn, 3 steps']) expect(await target.textContent()).toContain(words);
    expect(await changesIn(page)).toEqual([
      'Restore 1 file +1 lines added −1 lines removed',
      'a.txt agent 49 bytes +1 lines added −1 lines removed Look',
      'Delete 2 files, 1 folder +0 lines added −2 lines removed',
      'dir/ folder',
      'dir/deep.txt agent +0 lines added −1 lines removed Look',
      'new.txt agent +0 lines added −1 lines removed Look',
    ]);
    // Safe by default: what is pressed without looking changes nothing.
    expect(await buttonIn(page, 'Cancel').evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
    await expectAccessible(page);
    await picture(visiting, 'rollback-dialog');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(observeWorkspace(at.workspace)).toEqual(before);

    await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
    await buttonIn(page, 'Look at a.txt').click();
    const lines = dialog.locator('pre');
    await lines.waitFor();
    expect(await linesIn(lines)).toContain('− agent\n+ five');
    const other = visiting.context.waitForEvent('page');
    await dialog.getByRole('link', { name: /whole comparison/ }).click();
    const comparison = await other;
    expect(comparison.url()).toBe(visiting.place(`/s/${session.id}/diff/t2?path=a.txt`));
    await comparison.close();
    await buttonIn(page, 'Roll back 3 files').click();
    await toastOf(page).getByText('Rolled back: 1 file restored, 2 deleted').waitFor();
    expect([read(at, 'a.txt'), read(at, 'new.txt'), existsSync(join(at.workspace, 'dir'))]).toEqual([BEFORE, undefined, false]);
    const after = observeWorkspace(at.workspace);
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await toastOf(page).getByText('Undone: 3 files restored').waitFor();
    expect(observeWorkspace(at.workspace)).toEqual(before);
    await toastOf(page).getByRole('button', { name: 'Redo' }).click();
    await toastOf(page).getByText('Redone: 1 file restored, 2 deleted').waitFor();
    expect(observeWorkspace(at.workspace)).toEqual(after);
  },
);

browserTest('[CNV-1] [CNV-6] code and conversation: the session that is resumed ends before the prompt, which is handed back', async () => {
  const played = await twoTurns();
  const { at, session } = played;
  const old = readFileSync(session.path);
  const visiting = await opened(played);
  const { page, context } = visiting;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await wantRollback(visiting, { session: session.id, checkpoint: 't2', scope: undefined });
  const dialog = dialogOf(page);
  // Both, unless somebody chooses otherwise.
  await buttonIn(page, 'Roll back 3 files and the conversation').waitFor();
  const conversation = dialog.getByRole('region', { name: 'Conversation' });
  expect(await conversation.textContent()).toContain('Go on\nwith care');
  expect(await dialog.getByRole('radio', { name: 'Both' }).isChecked()).toBe(true);
  await dialog.getByRole('radio', { name: 'Conversation' }).check();
  await buttonIn(page, 'Roll back the conversation').waitFor();
  expect(await dialog.getByRole('checkbox', { name: 'Keep my edits' }).isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Both' }).check();
  await planned(page);
  await picture(visiting, 'rollback-dialog-both');
  await buttonIn(page, 'Roll back 3 files and the conversation').click();
  const result = page.getByRole('dialog', { name: 'Done' });
  await result.waitFor();
  await expectAccessible(page);
  await picture(visiting, 'rollback-result');
  const resume = ((await result.getByRole('region', { name: 'Going on' }).locator('pre').textContent()) ?? '').trim();
  const [, resumed = ''] = /--resume '?([0-9a-f-]+)/.exec(resume) ?? [];
  expect(existsSync(join(projectOf(at), `${resumed}.jsonl`))).toBe(true);
  expect(saidIn(at, resumed)).toEqual(['Begin', 'tool_use', 'tool_result', 'Begun.']);
  expect(readFileSync(session.path)).toEqual(old);
  expect(read(at, 'a.txt')).toBe(BEFORE);
  const copied = () =>
    page.evaluate(() =>
      (globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }).navigator.clipboard.readText(),
    );
  await result.getByRole('button', { name: 'Copy the command' }).click();
  await eventually(copied).toBe(resume);
  await result.getByRole('button', { name: 'Copy the prompt' }).click();
  await eventually(copied).toBe('Go on\nwith care');
  await result.getByRole('button', { name: 'Undo' }).click();
  await eventually(() => read(at, 'a.txt')).toBe(AFTER);
});

browserTest('[RST-8] chosen files only: what is taken out stays, and the plan is anew what will happen', async () => {
  const played = await twoTurns();
  const { at, session } = played;
  const visiting = await opened(played);
  const { page } = visiting;
  await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
  const dialog = dialogOf(page);
  await dialog.getByRole('checkbox', { name: 'Delete: all that are listed' }).uncheck();
  await buttonIn(page, 'Roll back 1 file').waitFor();
  expect((await changesIn(page)).filter((row) => row.includes('stays as it is'))).toHaveLength(3);
  await dialog.getByRole('checkbox', { name: 'dir/deep.txt' }).check();
  await buttonIn(page, 'Roll back 2 files').waitFor();
  await planned(page);
  // All of the folder goes, so that the folder itself goes too.
  expect((await changesIn(page)).filter((row) => row.includes('stays as it is'))).toEqual([expect.stringMatching(/^new\.txt/)]);
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'a.txt' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'dir/deep.txt' }).uncheck();
  await dialog.getByText('Nothing would change', { exact: true }).first().waitFor();
  expect(await buttonIn(page, /^Roll back/).isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'dir/deep.txt' }).check();
  await buttonIn(page, 'Roll back 1 file').click();
  await toastOf(page).getByText('Rolled back: 1 file deleted').waitFor();
  expect([read(at, 'a.txt'), read(at, 'new.txt'), existsSync(join(at.workspace, 'dir'))]).toEqual([AFTER, 'new\n', false]);
  expect(lastRollback(at)).toMatchObject({ only: ['dir'], scope: 'code' });

  // The same asked for by another view, and widened there.
  await wantRollback(visiting, { session: session.id, checkpoint: 't2', paths: ['new.txt'] });
  expect(await buttonIn(page, 'Roll back 1 file').isEnabled()).toBe(true);
  await buttonIn(page, 'All files').click();
  await buttonIn(page, 'Roll back 2 files').click();
  await toastOf(page).getByText('Rolled back: 1 file restored, 1 deleted').waitFor();
  expect([read(at, 'a.txt'), read(at, 'new.txt')]).toEqual([BEFORE, undefined]);
});

browserTest('[RST-8] chosen parts of a file only, as another view hands them over', async () => {
  const played = await twoTurns();
  const { at, session } = played;
  await session.prompt('Two places');
  await write(played, 'b.txt', `${text()}${text()}${text()}`);
  await session.answer('Made.');
  await session.prompt('Change both');
  await write(played, 'b.txt', `${text({ 0: 'first' })}${text()}${text({ 9: 'last' })}`);
  await session.answer('Changed.');
  const visiting = await opened(played);
  const { page } = visiting;
  const plan = at.retake.json(at.workspace, 'rewind', 't4', '--dry-run', '--patch');
  const [{ number: _, lines: __, ...hunk }] = plan.operations[0].hunks;
  await wantRollback(visiting, { session: session.id, checkpoint: 't4', hunks: [{ path: 'b.txt', ...hunk }] });
  expect((await changesIn(page))[1]).toContain('+1 lines added −1 lines removed');
  await buttonIn(page, 'Look at b.txt').click();
  const lines = dialogOf(page).locator('pre');
  expect(await linesIn(lines)).toContain('− first\n+ one');
  expect(await linesIn(lines)).not.toContain('last');
  await buttonIn(page, 'Roll back 1 file').click();
  await toastOf(page).getByText('Rolled back: 1 file restored').waitFor();
  expect(read(at, 'b.txt')).toBe(`${text()}${text()}${text({ 9: 'last' })}`);
  await callPlans(page, 'rollBack', { session: session.id, checkpoint: 't4', hunks: [{ path: 'b.txt', ...hunk }] });
  await dialogOf(page).getByText('is no longer as it was when this part of it was chosen').waitFor();
  expect(await buttonIn(page, /^Roll back 1 part/).isDisabled()).toBe(true);
});

browserTest('[RST-1] [RST-10] edits of a person stay; who lets them go sees that, and keeps them in one click', async () => {
  const played = await twoTurns();
  const { at, session } = played;
  put(at.workspace, 'a.txt', text({ 0: 'ONE', 4: 'agent', 8: 'mine' }));
  put(at.workspace, 'mine.txt', 'more of mine\n');
  const visiting = await opened(played);
  const { page } = visiting;
  await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
  const dialog = dialogOf(page);
  await dialog.getByText('1 path that differs and stays as it is').waitFor();
  await dialog.getByRole('checkbox', { name: 'Keep my edits' }).uncheck();
  await dialog.getByText('2 files hold edits of your own, which would go too').waitFor();
  expect(await changesIn(page)).toContainEqual(expect.stringMatching(/^a\.txt agent and you/));
  expect(await changesIn(page)).toContainEqual(expect.stringMatching(/^mine\.txt yours/));
  await expectAccessible(page);
  await picture(visiting, 'rollback-dialog-mine');
  await page.setViewportSize(NARROW);
  await expectNoOverflow(page);
  await picture(visiting, 'rollback-dialog-narrow');
  await page.setViewportSize({ width: 1440, height: 900 });
  await buttonIn(page, 'Keep my edits').click();
  await dialog.getByText('1 path that differs and stays as it is').waitFor();
  expect(await dialog.getByRole('checkbox', { name: 'Keep my edits' }).isChecked()).toBe(true);
  await buttonIn(page, 'Look at a.txt').click();
  const lines = dialog.locator('pre').first();
  await lines.waitFor();
  // What happens, which is not the difference from the target.
  expect(await linesIn(lines)).toContain('− agent\n+ five');
  expect(await linesIn(lines)).not.toContain('− mine');
  await buttonIn(page, 'Roll back 3 files').click();
  await toastOf(page).getByText('Rolled back: 1 file restored, 2 deleted').waitFor();
  expect([read(at, 'a.txt'), read(at, 'mine.txt'), read(at, 'new.txt')]).toEqual([
    text({ 0: 'ONE', 8: 'mine' }),
    'more of mine\n',
    undefined,
  ]);
});

browserTest('[RST-1] the workspace moved while the dialog was open: nothing is changed, and the new plan is shown', async () => {
  const played = await twoTurns();
  const { at, session } = played;
  const visiting = await opened(played);
  const { page } = visiting;
  await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
  put(at.workspace, 'later.txt', 'later\n');
  const moved = observeWorkspace(at.workspace);
  await buttonIn(page, 'Roll back 3 files').click();
  const dialog = dialogOf(page);
  await dialog.getByText('The workspace changed since this plan was made').waitFor();
  await dialog.getByText('1 path that differs and stays as it is').waitFor();
  expect(observeWorkspace(at.workspace)).toEqual(moved);
  await planned(page);
  expect(await buttonIn(page, 'Cancel').evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
  await expectAccessible(page);
  await picture(visiting, 'rollback-dialog-moved');
  await buttonIn(page, 'Roll back 3 files').click();
  await toastOf(page).getByText('Rolled back: 1 file restored, 2 deleted').waitFor();
  expect(read(at, 'later.txt')).toBe('later\n');
});

browserTest('[GIT-2] [GIT-5] git goes back too, and the state before becomes a branch', async () => {
  const played = await twoTurns(inRepository);
  const { at, session } = played;
  const first = gitIn(at.workspace, 'rev-parse', 'HEAD').trim();
  gitIn(at.workspace, 'checkout', '-q', '-b', 'feature');
  commitAll(at.workspace, 'the agent’s work');
  at.retake.json(at.workspace, 'settings', '--workspace', 'git.recoveryPrefix', 'saved/');
  gitIn(at.workspace, 'branch', `saved/${session.id}`);
  const visiting = await opened(played);
  const { page } = visiting;
  await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
  const dialog = dialogOf(page);
  await dialog.getByText('git is on branch feature').waitFor();
  await dialog.getByRole('checkbox', { name: 'Git state too' }).check();
  const git = dialog.getByRole('region', { name: 'Git' });
  await git.waitFor();
  expect(await git.textContent()).toContain('feature');
  expect(await git.textContent()).toContain('main');
  await dialog.getByRole('checkbox', { name: 'Make a recovery branch' }).check();
  const name = dialog.getByRole('textbox', { name: 'Name of the branch' });
  expect(await name.getAttribute('placeholder')).toBe(`saved/${session.id}-2`);
  await name.fill('main');
  await buttonIn(page, 'Roll back 3 files and git').click();
  await dialog.getByText('There is a branch main already').waitFor();
  expect(read(at, 'a.txt')).toBe(AFTER);
  await dialog.getByRole('textbox', { name: 'Name of the branch' }).fill('kept/before');
  await planned(page);
  await picture(visiting, 'rollback-dialog-git');
  await buttonIn(page, 'Roll back 3 files and git').click();
  // Whoever runs this has no name for git: nothing is done.
  await dialog.getByText('git knows no name and address for commits here').waitFor();
  expect(read(at, 'a.txt')).toBe(AFTER);
  gitIn(at.workspace, 'config', 'user.name', 'Somebody');
  gitIn(at.workspace, 'config', 'user.email', 'somebody@example.invalid');
  // As git leaves it that was killed while it made the branch: the rollback stands, and is said to.
  const lock = join(at.workspace, '.git/refs/heads/kept/before.lock');
  put(at.workspace, '.git/refs/heads/kept/before.lock', '');
  await buttonIn(page, 'Roll back 3 files and git').click();
  const result = page.getByRole('dialog', { name: 'Done' });
  await result.getByText('No recovery branch was made').waitFor();
  expect([read(at, 'a.txt'), gitIn(at.workspace, 'rev-parse', 'HEAD').trim()]).toEqual([BEFORE, first]);
  await result.getByRole('button', { name: 'Undo' }).click();
  await toastOf(page).getByText('Undone: 3 files restored; also git').waitFor();
  expect(gitIn(at.workspace, 'branch', '--show-current').trim()).toBe('feature');

  rmSync(lock);
  await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
  await dialog.getByRole('checkbox', { name: 'Git state too' }).check();
  await dialog.getByRole('checkbox', { name: 'Make a recovery branch' }).check();
  await dialog.getByRole('textbox', { name: 'Name of the branch' }).fill('kept/before');
  await buttonIn(page, 'Roll back 3 files and git').click();
  await result.getByText('kept/before').waitFor();
  await expectAccessible(page);
  expect(gitIn(at.workspace, 'show', 'kept/before:new.txt')).toBe('new\n');
  expect(gitIn(at.workspace, 'rev-parse', 'HEAD').trim()).toBe(first);
  expect(gitIn(at.workspace, 'branch', '--show-current').trim()).toBe('main');
  expect(read(at, 'a.txt')).toBe(BEFORE);
});

browserTest(
  '[RST-5] [RST-11] what is in the way is named and stops it; the work of another session stays unless it is to go too',
  async () => {
    const played = await twoTurns((at) => put(at.workspace, 'gone.txt', 'gone\n'));
    const { at, session } = played;
    const other = { at, session: new PlayedSession(at) };
    await other.session.start();
    await other.session.prompt('Beside');
    await write(other, 'beside.txt', 'beside\n');
    await session.step('Bash', { command: 'rm gone.txt' }, () => rmSync(join(at.workspace, 'gone.txt')));
    execFileSync('mkfifo', [join(at.workspace, 'gone.txt')]);
    const visiting = await opened(played);
    const { page } = visiting;
    const dialog = dialogOf(page);
    await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
    await dialog.getByText('1 thing is in the way').waitFor();
    await dialog.getByText('a device, FIFO or socket is in the way').waitFor();
    expect(await buttonIn(page, /^Roll back/).isDisabled()).toBe(true);
    await expectAccessible(page);
    await picture(visiting, 'rollback-in-the-way');
    await buttonIn(page, 'Cancel').click();
    rmSync(join(at.workspace, 'gone.txt'));
    await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
    await dialog.getByText('Another session worked here at the same time').waitFor();
    expect(await changesIn(page)).not.toContainEqual(expect.stringMatching(/^beside/));
    await buttonIn(page, 'Take its work back too').click();
    await eventually(() => changesIn(page)).toContainEqual(expect.stringMatching(/^beside\.txt/));
    expect(await dialog.getByRole('checkbox', { name: 'All sessions' }).isChecked()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'All sessions' }).uncheck();
    await dialog.getByText('Another session worked here at the same time').waitFor();
    await planned(page);
    await buttonIn(page, /^Roll back/)
      .last()
      .click();
    await toastOf(page).getByText('Rolled back').waitFor();
    expect([read(at, 'gone.txt'), read(at, 'beside.txt'), read(at, 'new.txt')]).toEqual(['gone\n', 'beside\n', undefined]);
  },
);
