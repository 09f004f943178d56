import { expect } from 'vitest';
import { put } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture } from './browser.ts';
import {
  buttonIn,
  changesIn,
  dialogOf,
  eventually,
  expectNoOverflow,
  opened,
  type Played,
  planned,
  read,
  text,
  toastOf,
  twoTurns,
  wantRollback,
  write,
} from './plan-scenes.ts';

const MINE = text({ 0: 'ONE', 4: 'agent, and I' });
/** With a sign that turns around what stands after it. */
const MINE_TOO = text({ 7: 'mine \u202eenim' });

/** Two files in which a person changed the very lines that the second turn changed. */
const bothChanged = async (): Promise<Played> => {
  const played = await twoTurns((at) => put(at.workspace, 'b.txt', text()));
  await write(played, 'b.txt', text({ 7: 'agent' }));
  put(played.at.workspace, 'a.txt', MINE);
  put(played.at.workspace, 'b.txt', MINE_TOO);
  return played;
};

browserTest(
  '[RST-9] [RST-10] conflicts are shown with both sides and decided one by one or all at once; then it is done as decided',
  async () => {
    const played = await bothChanged();
    const { at, session } = played;
    const visiting = await opened(played);
    const { page } = visiting;
    const dialog = dialogOf(page);
    const conflictOf = (path: string) => dialog.getByRole('article', { name: path });
    const choose = (path: string, name: string) => conflictOf(path).getByRole('radio', { name }).check();
    const act = buttonIn(page, /^Roll back \d/);
    const keepMine = async (): Promise<void> => {
      await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
      await dialog.getByRole('checkbox', { name: 'Keep my edits' }).check();
      await conflictOf('a.txt').waitFor();
      await planned(page);
    };
    const undo = async (): Promise<void> => {
      await toastOf(page).getByRole('button', { name: 'Undo' }).click();
      await eventually(() => read(at, 'new.txt')).toBe('new\n');
      expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual([MINE, MINE_TOO]);
      await toastOf(page).getByText('Undone').waitFor();
    };

    await keepMine();
    await dialog.getByText('2 files need a decision of yours').waitFor();
    const shown = (await conflictOf('a.txt').textContent()) ?? '';
    for (const words of ['Both changed the same lines', 'agent, and I', 'five', 'what it goes back to']) expect(shown).toContain(words);
    // Nor is anything of it turned around, between markers neither.
    expect(await conflictOf('b.txt').textContent()).toContain('mine \ufffdenim');
    expect(await dialog.textContent()).not.toContain('\u202e');
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByText('2 files are undecided').waitFor();
    await expectAccessible(page);
    await picture(visiting, 'rollback-conflicts');
    await page.setViewportSize(NARROW);
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    // One stays as it is, the other goes back: a plan that no single choice makes.
    await choose('a.txt', 'Now');
    await dialog.getByText('1 file is undecided').waitFor();
    await choose('b.txt', 'What it goes back to');
    await eventually(() => act.isEnabled()).toBe(true);
    const changes = await changesIn(page);
    expect(changes).toContainEqual(expect.stringMatching(/^b\.txt/));
    expect(changes).not.toContainEqual(expect.stringMatching(/^a\.txt/));
    await expectAccessible(page);
    await picture(visiting, 'rollback-conflicts-decided');
    await act.click();
    await toastOf(page).getByText('Rolled back: 1 file restored, 2 deleted').waitFor();
    expect([read(at, 'a.txt'), read(at, 'b.txt'), read(at, 'new.txt')]).toEqual([MINE, text(), undefined]);
    await undo();

    const outcomes: readonly (readonly [string, (string | undefined)[]])[] = [
      ['Now', [MINE, MINE_TOO]],
      ['Leave alone', [MINE, MINE_TOO]],
      ['The other side', [text({ 0: 'ONE' }), text()]],
    ];
    for (const [choice, files] of outcomes) {
      await keepMine();
      await dialog.getByRole('group', { name: 'For all conflicts' }).getByRole('radio', { name: choice }).check();
      await eventually(() => act.isEnabled()).toBe(true);
      await act.click();
      await toastOf(page).getByText('Rolled back').waitFor();
      expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual(files);
      await undo();
    }

    await keepMine();
    await choose('a.txt', 'By hand');
    await dialog.getByText('1 file is undecided').waitFor();
    await choose('b.txt', 'Leave alone');
    await eventually(() => act.isEnabled()).toBe(true);
    await act.click();
    const result = page.getByRole('dialog', { name: 'Done' });
    await result.getByRole('region', { name: 'By hand' }).getByText('a.txt').waitFor();
    expect(read(at, 'a.txt')).toContain('<<<<<<< now\nagent, and I\n');
    expect(read(at, 'b.txt')).toBe(MINE_TOO);
    await result.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => read(at, 'a.txt')).toBe(MINE);
  },
);

browserTest('[RST-1] [RST-9] what was decided is for the plan that was shown: another state asks again', async () => {
  const played = await bothChanged();
  const { at, session } = played;
  const visiting = await opened(played);
  const { page } = visiting;
  const dialog = dialogOf(page);
  await wantRollback(visiting, { session: session.id, checkpoint: 't2' });
  await dialog.getByRole('checkbox', { name: 'Keep my edits' }).check();
  await dialog.getByRole('article', { name: 'a.txt' }).getByRole('radio', { name: 'Now' }).check();
  await dialog.getByText('1 file is undecided').waitFor();
  await dialog.getByRole('article', { name: 'b.txt' }).getByRole('radio', { name: 'Now' }).check();
  const act = buttonIn(page, /^Roll back \d/);
  await eventually(() => act.isEnabled()).toBe(true);
  put(at.workspace, 'b.txt', text({ 7: 'agent' }));
  await act.click();
  await dialog.getByText('The workspace changed since this plan was made').waitFor();
  await dialog.getByText('1 file needs a decision of yours').waitFor();
  expect([read(at, 'a.txt'), read(at, 'b.txt'), read(at, 'new.txt')]).toEqual([MINE, text({ 7: 'agent' }), 'new\n']);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});
