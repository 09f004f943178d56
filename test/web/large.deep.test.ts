import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sample } from '../support/tier.ts';
import { problemsFor } from './accessible.ts';
import { browserTest, count, picture, visit, webScene } from './browser.ts';
import { playLargeFile, playLongSession, playManyBranches, playManyFiles } from './fixtures.ts';
import { namedIn, Stillness, sidewaysScroll } from './views.ts';

/** What a browser can lay out without a person noticing, whatever is behind it. */
const MOST_ELEMENTS = 5000;

const expectReadable = async (page: Page): Promise<void> => {
  expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(MOST_ELEMENTS);
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await problemsFor(page)).toEqual([]);
};

const FILES = sample(1000, 5000);

browserTest(`[UI-4] a step that changed ${count(FILES)} files is told as such, and its checkpoint can be looked at`, async () => {
  const at = webScene();
  const session = await playManyFiles(at, FILES);
  const visiting = await visit(at);
  const { page } = visiting;
  const stillness = new Stillness(page);
  await stillness.open(visiting, `/s/${session.id}`);
  const row = page.locator('[data-checkpoint][data-kind="after-step"]');
  await row.getByText(`${count(FILES)} files`).waitFor();
  await expectReadable(page);
  await row.click();
  await page
    .getByRole('region', { name: 'Checkpoint', exact: true })
    .getByText(`It changed ${count(FILES)} files`)
    .click();
  await stillness.come();
  await picture(visiting, 'large-files');
  await expectReadable(page);
  const { step } = namedIn(at, session.id, '');
  await stillness.open(visiting, `/s/${session.id}/step/${step}`);
  await page.getByText('file-0.ts').first().waitFor();
  await page
    .getByText(`${count(FILES)} files`)
    .first()
    .waitFor();
  await expectReadable(page);
  await picture(visiting, 'large-files-diff');
});

const MEGABYTES = sample(3, 10);

browserTest(`[UI-4] a text file of ${MEGABYTES} MB with three changed lines is three changed lines`, async () => {
  const at = webScene();
  const session = await playLargeFile(at, MEGABYTES);
  const visiting = await visit(at);
  const { page } = visiting;
  const stillness = new Stillness(page);
  await stillness.open(visiting, `/s/${session.id}`);
  const row = page.locator('[data-checkpoint][data-kind="after-step"]');
  await row.getByText('1 file').waitFor();
  expect(await row.textContent()).toMatch(/\+3\D.*−3\D/);
  await row.click();
  await page.getByRole('region', { name: 'Checkpoint', exact: true }).getByRole('link', { name: 'data/large.log', exact: true }).waitFor();
  await expectReadable(page);
  await picture(visiting, 'large-text');
  const { step } = namedIn(at, session.id, '');
  await stillness.open(visiting, `/s/${session.id}/step/${step}?path=data%2Flarge.log`);
  for (const place of [0, MEGABYTES * 5000, MEGABYTES * 10_000 - 1])
    await page.getByText(`changed ${place}`).first().waitFor({ state: 'attached' });
  await expectReadable(page);
  await picture(visiting, 'large-text-diff');
});

const BRANCHES = sample(60, 200);

browserTest(`[UI-4] a conversation with ${BRANCHES} branches: one of them is shown, and how many forks there are`, async () => {
  const at = webScene();
  const session = await playManyBranches(at, BRANCHES);
  const visiting = await visit(at);
  const { page } = visiting;
  const stillness = new Stillness(page);
  await stillness.open(visiting, `/s/${session}?branch=way-30`);
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await conversation.getByText('Way 30: try something else').waitFor();
  // Some go out from others.
  const turns = await conversation
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => /Way \d+|Begin/.exec(card.textContent ?? '')?.[0]));
  expect(turns).toEqual(['Way 30', 'Way 29', 'Begin']);
  await expectReadable(page);
  await picture(visiting, 'large-branches');
  await stillness.open(visiting, `/s/${session}/forks`);
  await page
    .getByText(`Way ${BRANCHES - 1}: try`)
    .first()
    .waitFor({ state: 'attached' });
  await expectReadable(page);
  await picture(visiting, 'large-forks');
});

const CHECKPOINTS = sample(300, 10_000);

browserTest(
  `[UI-4] a session of ${count(CHECKPOINTS)} checkpoints: the newest are there first, and older ones as far as one goes`,
  async () => {
    const at = webScene();
    const session = await playLongSession(at, CHECKPOINTS);
    const visiting = await visit(at);
    const { page } = visiting;
    const stillness = new Stillness(page);
    await stillness.open(visiting, `/s/${session}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(count(CHECKPOINTS), { exact: true }).waitFor();
    const rows = timeline.locator('[data-checkpoint]');
    const newest = at.retake.json(at.workspace, 'log', '--limit', '1').operations[0].id;
    expect(await rows.first().getAttribute('data-checkpoint')).toBe(newest);
    await expectReadable(page);
    await picture(visiting, 'large-session');
    // The end of what is there is never the end of what there is.
    const seen = new Set<string>();
    for (let times = 0; times < 12; times++) {
      for (const id of await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-checkpoint') ?? ''))) seen.add(id);
      await rows.last().scrollIntoViewIfNeeded();
      await page.mouse.move(1000, 600);
      await page.mouse.wheel(0, sample(1200, 5000));
      await stillness.come();
    }
    expect(seen.size).toBeGreaterThan(150);
    await expectReadable(page);
  },
);
