import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../daemon/support.ts';
import type { Scene } from '../support/scene.ts';
import { give, mount } from '../web-parts/mounted.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, visit, webScene } from './browser.ts';
import { playShop } from './played.ts';

interface Told {
  readonly id: string;
  readonly name: string | null;
  readonly note: string | null;
}

const newest = (at: Scene): Told =>
  at.retake.json(at.workspace, 'log').operations.find(({ kind }: { kind: string }) => kind === 'after-step');

const toldOf = (at: Scene, id: string): Told => at.retake.json(at.workspace, 'log').operations.find((one: Told) => one.id === id);

const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent');

browserTest('[UI-4] a note is written, changed and removed where it stands', async () => {
  const at = webScene();
  const session = await playShop(at);
  const checkpoint = newest(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await mount(visiting, 'NoteEditor', { session: session.id, checkpoint, keys: 'n' });
  await page.getByRole('button', { name: 'Add a note' }).click();
  const field = page.getByLabel('Note');
  await field.fill('Breaks the build\nof the shop');
  await expectAccessible(page);
  await picture(visiting, 'note');
  await field.press('Control+Enter');
  await page.getByRole('button', { name: /Edit the note/ }).waitFor();
  expect(toldOf(at, checkpoint.id).note).toBe('Breaks the build\nof the shop');
  expect(await focused(page)).toContain('Breaks the build\nof the shop');
  await expectAccessible(page);

  // Given up, by a key that nobody has to look for.
  await page.keyboard.press('n');
  await field.fill('Something else');
  await field.press('Escape');
  expect(await page.getByRole('button', { name: /Edit the note/ }).textContent()).toContain('Breaks the build');
  expect(toldOf(at, checkpoint.id).note).toBe('Breaks the build\nof the shop');

  // What was read anew counts; what is being typed stays.
  await give(page, { session: session.id, checkpoint: { ...checkpoint, note: 'From elsewhere' }, keys: 'n' });
  await page.getByText('From elsewhere').click();
  await field.fill('Mine');
  await give(page, { session: session.id, checkpoint: { ...checkpoint, note: 'Once more' }, keys: 'n' });
  expect(await field.inputValue()).toBe('Mine');
  await field.fill('   ');
  await page.getByRole('button', { name: 'Remove the note' }).click();
  await page.getByRole('button', { name: 'Add a note' }).waitFor();
  expect(toldOf(at, checkpoint.id).note).toBe(null);
});

browserTest('[UI-4] a name that is refused is told why, and what was typed stays', async () => {
  const at = webScene();
  const session = await playShop(at);
  const checkpoint = newest(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await mount(visiting, 'NameEditor', { session: session.id, checkpoint });
  await page.getByRole('button', { name: 'Add a name' }).click();
  const field = page.getByLabel('Name');
  await field.fill('@here');
  await field.press('Enter');
  await page.getByText('A name can not begin with @').waitFor();
  expect(await field.inputValue()).toBe('@here');
  await expectAccessible(page);
  await field.fill('before the clean-up');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Edit the name: before the clean-up' }).waitFor();
  await until(() => toldOf(at, checkpoint.id).name === 'before the clean-up');
  // The checkpoint is gone by now: nothing is lost of what was typed.
  at.retake.json(at.workspace, 'delete', checkpoint.id);
  await page.getByRole('button', { name: /Edit the name/ }).click();
  await field.fill('another');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  expect(await field.inputValue()).toBe('another');
});
