import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { firstQuestions } from '../../src/api/index.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';
import { playShop } from './played.ts';
import { hearPositionFirst } from './views.ts';

/** What of an address names the question. */
const partOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

browserTest('[UI-4] what a view needs first is asked for with the page itself, and once', async () => {
  const at = webScene();
  const session = await playShop(at);
  const { page, open } = await visit(at);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(partOf(request.url())));
  await hearPositionFirst(page);
  const early = (): Promise<string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === 'link' && entry.name.includes('/api/'))
        .map(({ name }) => name),
    );
  for (const [place, seen] of [
    ['', `a[href*="/s/${session.id}"]`],
    [`/s/${session.id}`, '[data-checkpoint]'],
  ] as const) {
    // The page before may still be asking for something when it is left.
    await page.goto('about:blank');
    asked.length = 0;
    await open(place);
    await page.locator(seen).first().waitFor();
    const questions = firstQuestions(new URL(page.url()));
    expect(questions).not.toEqual([]);
    // What was asked for is listed when it is answered.
    await expect.poll(async () => (await early()).map(partOf)).toEqual(questions);
    for (const question of questions) expect(asked.filter((one) => one === question)).toEqual([question]);
  }
});

browserTest('[UI-4] what is recorded after the first answers and before the page hears of news is shown', async () => {
  const at = webScene();
  const session = await playShop(at);
  const { page, open } = await visit(at);
  const release = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname === '/api/events',
    async (route) => {
      await release.promise;
      await route.continue();
    },
  );
  await open(`/s/${session.id}`);
  const rows = page.getByRole('region', { name: 'Timeline' }).locator('[data-checkpoint]');
  await rows.first().waitFor();
  at.retake.json(at.workspace, 'checkpoint', '--name', 'in between', '--session', session.id);
  expect(await rows.filter({ hasText: 'in between' }).count()).toBe(0);
  release.resolve();
  await rows.filter({ hasText: 'in between' }).waitFor();
});

browserTest('[UI-4] a session: its turns and its checkpoints side by side, one of them chosen, and what can be done with it', async () => {
  const at = webScene();
  const session = await playShop(at);
  const visiting = await visit(at, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, open } = visiting;
  // biome-ignore lint/suspicious/noExplicitAny: looked into
  const log = (): any[] =>
    at.retake.json(at.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind !== 'pin' && kind !== 'delete');
  await open(`/s/${session.id}`);
  const conversation = page.getByRole('region', { name: 'Conversation' });
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await conversation.getByText('Clean up').waitFor();
  await timeline.locator('[data-checkpoint]').first().waitFor();
  await expectAccessible(page);
  await picture(visiting, 'session');

  const shown = await timeline.locator('[data-checkpoint]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-checkpoint')));
  expect(shown).toEqual(log().map(({ id }: { id: string }) => id));
  expect(await timeline.locator('[data-kind="before-step"], [data-kind="prompt"]').filter({ hasText: 'you' }).count()).toBe(1);
  const second = conversation.getByRole('article', { name: 'Turn 2' });
  expect(await second.textContent()).toContain('2 files');
  await second.getByRole('button', { name: 'Show what was said' }).click();
  await second.getByText('There is a test now. It passes.').waitFor();
  await second.getByText('and run them').waitFor();
  await picture(visiting, 'session-said');

  // Filters.
  await timeline.getByLabel('Tool').selectOption('Bash');
  await timeline.locator('[data-checkpoint]').filter({ hasText: 'Edit' }).waitFor({ state: 'detached' });
  expect(await timeline.locator('[data-checkpoint]').count()).toBe(
    log().filter(({ tool }: { tool: string | null }) => tool === 'Bash').length,
  );
  await timeline.getByRole('button', { name: 'Show all' }).click();
  await timeline.getByLabel('Agent').selectOption('tester');
  await timeline.locator('[data-checkpoint]').filter({ hasText: 'Edit' }).waitFor({ state: 'detached' });
  expect(await timeline.locator('[data-checkpoint]').count()).toBe(1);
  await timeline.getByRole('button', { name: 'Show all' }).click();

  // A checkpoint, made by keys.
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('after the clean-up');
  await dialog.getByLabel('Note').fill('gone too far');
  await picture(visiting, 'session-new-checkpoint');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('It is complete').waitFor();
  expect(log()[0]).toMatchObject({ kind: 'manual', name: 'after the clean-up', note: 'gone too far', session: session.id });
  await dialog.getByRole('button', { name: 'Show it' }).click();

  // The selector.
  const selector = page.getByRole('region', { name: 'Checkpoint', exact: true });
  const total = log().length;
  await selector.getByText(`${total} of ${total}`).waitFor();
  await selector.getByText('All clean.').waitFor();
  await picture(visiting, 'session-selector');
  await expectAccessible(page);
  await selector.getByRole('button', { name: 'Pin', exact: true }).click();
  await selector.getByRole('button', { name: 'Unpin' }).waitFor();
  expect(log()[0]).toMatchObject({ pinned: true });
  await page.keyboard.press('ArrowLeft');
  await selector.getByText(`${total - 1} of ${total}`).waitFor();
  expect(page.url()).toContain(log()[1].id);
  await selector.getByRole('button', { name: 'View messages only' }).click();
  await selector.getByText('The checkpoint was taken here').waitFor();
  await page.keyboard.press('m');
  await selector.getByText('The checkpoint was taken here').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await selector.getByText(`${total} of ${total}`).waitFor();
  await page.keyboard.press('x');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(log().length).toBe(total);
  await page.keyboard.press('x');
  await dialog.getByRole('button', { name: 'Delete the checkpoint' }).click();
  await page.getByText('Deleted checkpoint').waitFor();
  expect(log().map(({ name }: { name: string | null }) => name)).not.toContain('after the clean-up');
  await page.keyboard.press('Escape');
  await selector.waitFor({ state: 'detached' });

  // A fork from a prompt.
  await conversation.getByRole('article', { name: 'Turn 3' }).hover();
  await conversation.getByRole('button', { name: 'Rewind to before turn 3' }).click();
  await picture(visiting, 'session-rewind-menu');
  await page.getByRole('menuitem', { name: 'Fork from here' }).click();
  await dialog.getByText('A new session goes on from there').waitFor();
  const command = (await dialog.locator('pre').first().textContent()) ?? '';
  expect(command).toMatch(/claude --resume [0-9a-f-]{36}/);
  await dialog.getByRole('button', { name: 'Copy the command' }).click();
  await page.getByText('Command copied').waitFor();
  const written = join(session.path, '..', `${/--resume ([0-9a-f-]+)/.exec(command)?.[1]}.jsonl`);
  expect(readFileSync(written, 'utf8')).toContain('It passes.');
  expect(readFileSync(written, 'utf8')).not.toContain('Clean up');
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();

  // Live: what happens meanwhile appears by itself.
  await session.prompt('One more thing');
  await conversation.getByText('One more thing').waitFor();
  await timeline.getByText('Turn 4').waitFor();

  await page.setViewportSize(NARROW);
  await picture(visiting, 'session-narrow');
  await page.getByRole('radio', { name: 'Timeline' }).check();
  await picture(visiting, 'session-narrow-timeline');
  await expectAccessible(page);
});

browserTest('[UI-4] keys and commands: the help lists them, the palette finds and runs them', async () => {
  const at = webScene();
  await playShop(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Rollback history').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill('sett');
  await picture(visiting, 'palette');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings');
  // Two keys that belong together have to come soon after each other.
  const goToSessions = async (): Promise<string> => {
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    return page.url();
  };
  await expect.poll(goToSessions).not.toMatch(/\/settings$/);
  await page.getByRole('link', { name: /Add the tax/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/s/**');
  await page.keyboard.press('/');
  await page.keyboard.type('tax');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=tax');
});
