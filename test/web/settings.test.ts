import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Scene } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, ownScene, picture, visit, webScene } from './browser.ts';

const fileOf = (at: Scene): string => join(at.retake.home, 'settings.json');
const written = (at: Scene): unknown => JSON.parse(readFileSync(fileOf(at), 'utf8'));

/** What is set for all is nobody's any more when the test is over. */
const settingsScene = (): Scene => {
  const at = webScene();
  onTestFinished(() => rmSync(fileOf(at), { force: true }));
  return at;
};

const field = (page: Page, key: string) => page.getByLabel(key, { exact: true });

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
};

browserTest('[UI-4] settings are changed where they stand, each by what it is, and saved together into the file', async () => {
  const at = settingsScene();
  const visiting = await visit(at);
  const { page, open } = visiting;
  await open('/settings');
  await page.getByRole('heading', { name: 'retention' }).waitFor();
  const { settings } = at.retake.json(at.workspace, 'settings');
  for (const { key } of settings) await page.getByText(key, { exact: true }).first().waitFor();
  await expectAccessible(page);
  await picture(visiting, 'settings', { fullPage: true });
  expect(existsSync(fileOf(at))).toBe(false);

  await field(page, 'retention.days').fill('60');
  await page.getByRole('switch', { name: 'record.automatic' }).uncheck();
  await field(page, 'history.mode').selectOption('branch');
  await field(page, 'git.recoveryPrefix').fill('saved/');
  const skipped = field(page, 'record.skipTools');
  await skipped.click();
  await page.keyboard.type('Read');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Web Search');
  await page.getByText('5 changes not saved').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'settings-changed');
  expect(existsSync(fileOf(at))).toBe(false);
  await save(page);
  await page.getByText('5 settings saved').waitFor();
  expect(written(at)).toEqual({
    'retention.days': 60,
    'record.automatic': false,
    'history.mode': 'branch',
    'git.recoveryPrefix': 'saved/',
    'record.skipTools': ['Read', 'Web Search'],
  });
  await page.getByText('not saved').first().waitFor({ state: 'detached' });

  // Back to what is built in.
  for (const key of ['record.automatic', 'history.mode', 'git.recoveryPrefix', 'record.skipTools'])
    await page.getByRole('button', { name: `Reset ${key}` }).click();
  expect(await field(page, 'git.recoveryPrefix').inputValue()).toBe('recovery/');
  await page.getByRole('button', { name: 'Leave as it is: record.automatic' }).click();
  await page.getByText('3 changes not saved').waitFor();
  await save(page);
  await page.getByText('3 settings saved').waitFor();
  expect(written(at)).toEqual({ 'retention.days': 60, 'record.automatic': false });

  // Changed by others, it is seen by who opens the view anew.
  at.retake.json(at.workspace, 'settings', 'retention.days', '7');
  await page.getByRole('link', { name: 'Reflog & health' }).click();
  await page.getByRole('heading', { name: 'Reflog and health' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect.poll(() => field(page, 'retention.days').inputValue()).toBe('7');
});

browserTest('[UI-4] what is refused is told at the field, nothing is saved, and what was typed stays', async () => {
  const at = settingsScene();
  const { page, open } = await visit(at);
  await open('/settings');
  await field(page, 'retention.forkDays').fill('100');
  await field(page, 'retention.days').fill('0');
  await page.keyboard.press('Enter');
  await page.getByText('The setting retention.days can not be that: expected a whole number from 1 to 100000').waitFor();
  expect(await field(page, 'retention.days').getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate('document.activeElement.value')).toBe('0');
  await expectAccessible(page);
  expect(existsSync(fileOf(at))).toBe(false);
  await field(page, 'retention.days').fill('many');
  await save(page);
  await page.getByText('It has to be a whole number from 1 to 100000').waitFor();
  expect(await field(page, 'retention.forkDays').inputValue()).toBe('100');
  await field(page, 'retention.days').fill('9');
  await save(page);
  await page.getByText('2 settings saved').waitFor();
  expect(written(at)).toEqual({ 'retention.forkDays': 100, 'retention.days': 9 });
});

browserTest('[SEC] commands, and what the environment decides, are shown and not to be changed here', async () => {
  const at = ownScene({ RETAKE_EXPORT_EXCLUDE: '["*.pem"]' });
  at.retake.json(at.workspace, 'settings', 'conversation.summarizer', 'echo <b>hello</b>');
  const { page, open } = await visit(at);
  await open('/settings');
  await page.getByText('echo <b>hello</b>').waitFor();
  await page.getByText('A command that is run').waitFor();
  await page.getByText('Decided by the variable RETAKE_EXPORT_EXCLUDE').waitFor();
  await page.getByText('*.pem').waitFor();
  for (const key of ['conversation.summarizer', 'export.exclude', 'server.port']) expect(await field(page, key).count()).toBe(0);
});

browserTest('[UI-4] what was typed for all workspaces, and taken back, is no change of one of them', async () => {
  const at = webScene();
  at.retake.json(at.workspace, 'settings', 'retention.days', '7', '--workspace');
  const { page, open } = await visit(at);
  await open('/settings');
  await field(page, 'retention.days').fill('31');
  await page.getByText('1 change not saved').waitFor();
  await field(page, 'retention.days').fill('30');
  await page.getByText('not saved').waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'For this workspace' }).check();
  await expect.poll(() => field(page, 'retention.days').inputValue()).toBe('7');
  expect(await page.getByText('not saved').count()).toBe(0);
});

browserTest('[UI-4] a file that is wrong is seen and mended', async () => {
  const at = settingsScene();
  const { page, open } = await visit(at);
  writeFileSync(fileOf(at), '{"retention.days": "many", "other": 1, "more": 2, "retention.forkDays": 5}');
  await open('/settings');
  await page.getByText('The setting retention.days in').waitFor();
  await page.getByRole('button', { name: 'Take out other' }).click();
  await page.getByRole('button', { name: 'Take out more' }).click();
  await page.getByRole('button', { name: 'Leave it in: more' }).click();
  await field(page, 'retention.days').fill('5');
  await expectAccessible(page);
  await save(page);
  await page.getByText('2 settings saved').waitFor();
  expect(written(at)).toEqual({ 'retention.days': 5, more: 2, 'retention.forkDays': 5 });
  writeFileSync(fileOf(at), 'no JSON');
  await page.reload();
  await page.getByText('is not a JSON object').waitFor();
  writeFileSync(fileOf(at), '{}');
  await page.getByRole('button', { name: 'Try again' }).click();
  await field(page, 'retention.days').waitFor();
});

browserTest(
  '[UI-4] settings are for all workspaces or for this one, as chosen; what this one has of its own is told to who sets for all',
  async () => {
    const at = settingsScene();
    at.retake.json(at.workspace, 'settings', 'retention.days', '60');
    const visiting = await visit(at);
    const { page, open } = visiting;
    await open('/settings');
    await field(page, 'retention.days').waitFor();
    await page.getByRole('radio', { name: 'For this workspace' }).check();
    await page.getByText('outside of the project').waitFor();
    expect(await field(page, 'retention.days').inputValue()).toBe('60');
    for (const key of ['daemon.idleMinutes', 'hook.deadlineMs']) expect(await field(page, key).count()).toBe(0);
    await page.getByText('The same for all workspaces').first().waitFor();
    await field(page, 'retention.days').fill('5');
    await page.getByText('1 change not saved').waitFor();
    expect(await page.getByRole('radio', { name: 'For all workspaces' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('radio', { name: 'For this workspace' }).scrollIntoViewIfNeeded();
    await picture(visiting, 'settings-workspace');
    await save(page);
    await page.getByText('1 setting saved').waitFor();
    const own = at.retake.json(at.workspace, 'settings', 'retention.days');
    expect(own).toMatchObject({ value: 5, from: 'workspace', given: { user: 60, workspace: 5 } });
    expect(written(at)).toEqual({ 'retention.days': 60 });

    await page.getByRole('radio', { name: 'For all workspaces' }).check();
    expect(await field(page, 'retention.days').inputValue()).toBe('60');
    await page.getByText('This workspace has its own: 5').waitFor();
    await page.getByRole('radio', { name: 'For this workspace' }).check();
    await page.getByRole('button', { name: 'Reset retention.days' }).click();
    await page.getByText('back to what counts for all').waitFor();
    expect(await field(page, 'retention.days').inputValue()).toBe('60');
    await save(page);
    await expect.poll(() => at.retake.json(at.workspace, 'settings', 'retention.days')).toMatchObject({ value: 60, from: 'user' });
  },
);

browserTest('[UI-4] colours are the system’s, light or dark, and stay as they were chosen', async () => {
  const at = webScene();
  const visiting = await visit(at, { colorScheme: 'light', viewport: NARROW });
  const { page, open } = visiting;
  await open('/settings');
  const shown = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme');
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await shown()).toBe('dark');
  await page.reload();
  expect(await shown()).toBe('dark');
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'As the system' }).check();
  expect(await shown()).toBe('light');
  expect(await page.evaluate("document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth")).toBe(0);
  await picture(visiting, 'settings-narrow');
});

browserTest('[SEC] signing out is explained first; then every cookie and the token are void', async () => {
  const at = settingsScene();
  const { page, open, url, context } = await visit(at);
  const { tokenFile } = at.retake.json(at.workspace, 'serve');
  const token = readFileSync(tokenFile, 'utf8');
  await open('/settings');
  await page.getByRole('button', { name: 'Sign out …' }).click();
  await page.getByText('Every browser that is signed in').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(readFileSync(tokenFile, 'utf8')).toBe(token);
  await page.getByRole('button', { name: 'Sign out …' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL(`${url}/`);
  await page.getByText('retake serve').waitFor();
  expect(readFileSync(tokenFile, 'utf8')).not.toBe(token);
  expect((await context.request.get(`${url}/api/sessions`)).status()).toBe(401);
});
