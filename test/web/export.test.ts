import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { text } from '../forks/forked.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { mount } from '../web-parts/mounted.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, ownScene, picture, visit, webScene } from './browser.ts';
import { playShop } from './played.ts';

/** Chooses an item, says yes to what it tells, and returns where the browser saved the file, and under what name. */
const saved = async (page: Page, item: string): Promise<{ path: string; name: string }> => {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the file' }).click();
  const download = await downloading;
  const path = join(temporaryDirectory(), download.suggestedFilename());
  await download.saveAs(path);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return { path, name: download.suggestedFilename() };
};

const inside = (tar: string): string[] => execFileSync('tar', ['-tf', tar], { encoding: 'utf8' }).trim().split('\n');

browserTest('[STO-4] reports and exports are saved by the browser as the command line writes them, without .env', async () => {
  const at = webScene();
  const session = await playShop(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await mount(visiting, 'ExportMenu', { session: session.id });

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Report as HTML' }).click();
  await page.getByRole('dialog').getByText('.env*').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'export');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const html = await saved(page, 'Report as HTML');
  expect(html.name).toBe(`${session.id}.html`);
  const report = readFileSync(html.path, 'utf8');
  expect(report).toMatch(/^<!doctype html>/i);
  const markdown = await saved(page, 'Report as Markdown');
  expect(markdown.name).toBe(`${session.id}.md`);
  const withoutTimes = (words: string): string => words.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)?/g, 'TIME');
  const written = at.retake.run(at.workspace, 'report', session.id, '--format', 'markdown').stdout;
  expect(withoutTimes(readFileSync(markdown.path, 'utf8'))).toBe(withoutTimes(written));
  for (const { path } of [html, markdown]) {
    expect(readFileSync(path, 'utf8')).toContain('Add the tax to the total of the cart');
    expect(readFileSync(path, 'utf8')).not.toContain('KEY=secret');
  }

  const full = await saved(page, 'Export, with the conversation');
  const code = await saved(page, 'Export, without the conversation');
  expect(inside(full.path)).toContain('conversation/session.jsonl');
  expect(inside(code.path).filter((name) => name.startsWith('conversation'))).toEqual([]);
  for (const { path, name } of [full, code]) {
    expect(name).toBe(`${session.id}.retake.tar`);
    const other = temporaryDirectory();
    expect(at.retake.json(other, 'import', path)).toMatchObject({ session: session.id });
    const { operations } = at.retake.json(other, 'log', '--session', session.id);
    const before = operations.find(({ description }: { description: string }) => description.startsWith('Clean up'));
    at.retake.json(other, 'rewind', before.id, '--yes');
    const scene = { workspace: other, retake: at.retake };
    expect(text(scene, 'notes.txt')).toBe('one\ntwo\n');
    expect(existsSync(join(other, '.env'))).toBe(false);
  }
});

browserTest('[STO-4] what is left out is told as the setting has it, by keys alone too', async () => {
  const at = ownScene({ RETAKE_EXPORT_EXCLUDE: '["secrets/", "*.pem"]' });
  const session = await playShop(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await mount(visiting, 'ExportMenu', { session: session.id });
  await page.getByRole('button', { name: 'Export' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'An export, with the conversation' });
  await dialog.getByText('secrets/').waitFor();
  await dialog.getByText('The conversation holds whatever the agent read').waitFor();
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await downloading).suggestedFilename()).toBe(`${session.id}.retake.tar`);
});

browserTest(
  '[STO-4] what is left out is told as it is set for the workspace that is looked at, not for the one that is served',
  async () => {
    const at = webScene();
    const other = { ...at, workspace: temporaryDirectory() };
    const session = await playShop(other);
    other.retake.json(other.workspace, 'settings', '--workspace', 'export.exclude', '["*.pem"]');
    const { workspace } = other.retake.json(other.workspace, 'serve');
    const visiting = await visit(at);
    const { page } = visiting;
    await mount({ ...visiting, workspace }, 'ExportMenu', { session: session.id });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export, with' }).first().click();
    const told = page.getByRole('dialog').getByText('Contents of files that match');
    await told.getByText('*.pem').waitFor();
    expect(await told.textContent()).not.toContain('.env');
  },
);
