import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect, inject } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { text } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { sample } from '../support/tier.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

const write = (at: Scene, session: PlayedSession, path: string, content: string, agent?: { agent_id: string; agent_type: string }) =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, content), agent);

/** Two turns in a repository, one step of them by a subagent, all rolled back; after that a step that stays. */
const rolledBack = async (at: Scene): Promise<PlayedSession> => {
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, 'a.txt', LINES);
  put(at.workspace, 'b.txt', 'b\n');
  commitAll(at.workspace, 'begin');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('Change the first line');
  await write(at, session, 'a.txt', LINES.replace('one', 'ONE'));
  await write(at, session, 'b.txt', 'agent\n', { agent_id: 'helper', agent_type: 'general-purpose' });
  await session.answer('done');
  await session.prompt('Add c');
  await write(at, session, 'c.txt', 'c\n');
  await session.answer('done');
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  await session.prompt('Something else');
  await write(at, session, 'd.txt', 'd\n');
  await session.answer('done');
  return session;
};

const box = (page: Page, words: string) => page.getByRole('checkbox', { name: `Recover ${words}` });
const row = (page: Page, words: string) => page.getByRole('listitem').filter({ hasText: words });
const bar = (page: Page) => page.getByRole('region', { name: 'Recover what is selected' });

browserTest('[GIT-6] the steps of a session, each with what can be done about it; chosen one by one, as a range, or all', async () => {
  const at = webScene();
  const session = await rolledBack(at);
  const visiting = await visit(at);
  const { page, open } = visiting;
  await open(`/s/${session.id}/recover`);
  await page.getByRole('heading', { name: 'Recover', exact: true }).waitFor();
  await row(page, 'Write a.txt').waitFor();
  expect(await page.getByRole('listitem').count()).toBe(4);
  expect(await row(page, 'Write d.txt').textContent()).toContain('in the present');
  expect(await box(page, 'Write d.txt').isDisabled()).toBe(true);
  const told = (await row(page, 'Write b.txt').textContent()) ?? '';
  for (const words of ['turn 1', 'Write', 'general-purpose helper', '1 file', '+1', '−1', 'recoverable, 179 days left'])
    expect(told).toContain(words);
  expect(await row(page, 'Write a.txt').getByRole('link').getAttribute('href')).toContain(`/s/${session.id}/step/`);

  // A range, by pointer and by keys.
  await box(page, 'Write c.txt').click();
  await box(page, 'Write a.txt').click({ modifiers: ['Shift'] });
  await bar(page).getByText('3 steps selected').waitFor();
  await row(page, 'Write b.txt').getByText('applies cleanly').waitFor();
  await bar(page).getByText('3 steps cleanly, 3 files would change').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'recover');
  await bar(page).getByRole('button', { name: 'Select none' }).click();
  await bar(page).getByText('No step is selected').waitFor();
  await box(page, 'Write c.txt').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  expect(await box(page, 'Write a.txt').evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press('Shift+Space');
  await bar(page).getByText('3 steps selected').waitFor();
  await page.keyboard.press('Escape');
  await bar(page).getByText('No step is selected').waitFor();
  await page.keyboard.press('a');
  await bar(page).getByText('3 steps selected').waitFor();

  // What is chosen stays chosen, in sight or not.
  await page.getByLabel('State').selectOption('on-branch');
  await bar(page).getByText('3 steps selected, 3 of them not shown').waitFor();
  expect(await page.getByRole('listitem').count()).toBe(1);
  await page.getByLabel('State').selectOption('expiring');
  await page.getByText('No step is like that').waitFor();
  await page.getByRole('button', { name: 'Show all steps' }).click();
  await page.getByLabel('Agent').selectOption('helper');
  await row(page, 'Write a.txt').waitFor({ state: 'detached' });
  expect(await page.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('Write b.txt')]);
  await page.getByLabel('Agent').selectOption('');
  await page.getByLabel('Turn').fill('2');
  await row(page, 'Write a.txt').waitFor({ state: 'detached' });
  await row(page, 'Write c.txt').waitFor();
});

browserTest('[GIT-6] how it would go is told at each step, and follows what changes meanwhile', async () => {
  const at = webScene();
  at.retake.json(at.workspace, 'settings', '--workspace', 'retention.rolledBackDays', '20');
  const session = await rolledBack(at);
  const { page, open } = await visit(at);
  put(at.workspace, 'a.txt', LINES.replace('one', 'mine'));
  await open(`/s/${session.id}/recover`);
  await box(page, 'Write a.txt').click();
  await box(page, 'Write c.txt').click();
  await row(page, 'Write a.txt').getByText('with conflicts').waitFor();
  await row(page, 'Write a.txt').getByText('expiring, 19 days left').waitFor();
  await row(page, 'Write c.txt').getByText('applies cleanly').waitFor();
  await bar(page).getByText('1 step cleanly, 1 step with conflicts').waitFor();
  await bar(page).getByText('1 file in conflict').waitFor();
  await bar(page).getByLabel('Commit too').check();
  await bar(page).getByText('Which commits it becomes can be told when the conflicts are settled.').waitFor();
  await box(page, 'Write a.txt').click();
  await bar(page).getByText('1 commit on main').waitFor();
  await bar(page).getByText('Claude Code [Write]: Write c.txt').waitFor();
  // Said yes to is what is shown: the commits too.
  await bar(page).getByRole('button', { name: 'Recover …' }).click();
  const commits = page.getByRole('dialog').getByRole('region', { name: 'Commits' });
  await commits.getByText('1 commit on main').waitFor();
  await commits.getByRole('article', { name: 'Claude Code [Write]: Write c.txt' }).getByText('c.txt', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  // Recorded, it is heard of.
  put(at.workspace, 'c.txt', 'mine too\n');
  at.retake.json(at.workspace, 'checkpoint');
  await row(page, 'Write c.txt').getByText('with conflicts').waitFor();
  expect([text(at, 'a.txt'), text(at, 'c.txt')]).toEqual([LINES.replace('one', 'mine'), 'mine too\n']);
  // Brought back elsewhere, there is nothing left to choose.
  put(at.workspace, 'c.txt', '');
  at.retake.json(at.workspace, 'recover', 't2', '--on-conflict', 'theirs', '--yes');
  await row(page, 'Write c.txt').getByText('recovered', { exact: true }).waitFor();
  await bar(page).getByText('No step is selected').waitFor();
});

/** A session of as many steps, recorded by one process. */
const manySteps = async (at: Scene, count: number): Promise<string> => {
  const { recorder } = inject('programs');
  const session = 'many-steps';
  const payload = (name: string, fields: object): string =>
    JSON.stringify({ hook_event_name: name, session_id: session, cwd: at.workspace, prompt_id: 'p1', ...fields });
  const steps = Array.from({ length: count }, (_, number) => {
    const fields = { tool_use_id: `t${number}`, tool_name: 'Write', tool_input: { file_path: join(at.workspace, `file-${number}`) } };
    return [payload('PreToolUse', fields), `file-${number}=${number}`, payload('PostToolUse', { ...fields, tool_response: {} })];
  });
  const told = [
    payload('SessionStart', { source: 'startup' }),
    payload('UserPromptSubmit', { prompt: 'Write many files' }),
    ...steps.flat(),
  ];
  const { status, stderr } = spawnSync(process.execPath, [recorder, ...told, 'settle'], {
    cwd: at.workspace,
    env: at.retake.env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect([status, stderr]).toEqual([0, '']);
  return session;
};

/** More than are asked for at once. */
const MANY = sample(250, 450);

browserTest('[UI-4] of many steps only those in sight are there, and all of them can be chosen', async () => {
  const at = webScene();
  const session = await manySteps(at, MANY);
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  const { page, open } = await visit(at);
  await open(`/s/${session}/recover`);
  await page.getByText(`${MANY} steps`, { exact: true }).waitFor();
  await row(page, `Write file-${MANY - 1}`).waitFor();
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Select all that can be recovered' }).click();
  await bar(page).getByText(`${MANY} steps selected`).waitFor();
  await bar(page).getByText(`${MANY} steps cleanly, ${MANY} files would change`).waitFor();
  await page.evaluate("document.getElementById('main').scrollTo(0, 1e7)");
  await row(page, 'Write file-0').getByText('applies cleanly').waitFor();
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  // A range from one end to the other takes them all out again.
  await box(page, 'Write file-0').click();
  await bar(page)
    .getByText(`${MANY - 1} steps selected`)
    .waitFor();
  await page.evaluate("document.getElementById('main').scrollTo(0, 0)");
  await box(page, `Write file-${MANY - 1}`).click({ modifiers: ['Shift'] });
  await bar(page).getByText('No step is selected').waitFor();
});

/** A recovery that stopped at a file with markers. */
const stopped = async (at: Scene): Promise<PlayedSession> => {
  const session = await rolledBack(at);
  put(at.workspace, 'a.txt', LINES.replace('one', 'mine'));
  at.retake.json(at.workspace, 'recover', 't1', '--on-conflict', 'manual', '--yes');
  return session;
};

const underWay = (page: Page) => page.getByRole('region', { name: 'A recovery is under way' });
const goOn = (page: Page) => underWay(page).getByRole('button', { name: 'Continue' });

/** What the page asks about the recovery under way, as it comes: whether it only looks, by how many looks there were. */
const onContinue = (page: Page, answer: (route: Route, looks: number, isLook: boolean) => Promise<void>): Promise<unknown> => {
  let looks = 0;
  return page.route('**/api/recover/continue*', (route) => {
    const isLook = route.request().postDataJSON().dryRun === true;
    if (isLook) looks += 1;
    return answer(route, looks, isLook);
  });
};

browserTest('[GIT-6] a recovery that stopped is told of, with what is left to be done', async () => {
  const at = webScene();
  const session = await stopped(at);
  const visiting = await visit(at);
  const { page, open } = visiting;
  await open(`/s/${session.id}/recover`);
  const banner = underWay(page);
  await banner.getByText('a.txt').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'recover-under-way');
  await goOn(page).click();
  await page.getByText('There are still markers in a.txt').waitFor();
  await box(page, 'Write c.txt').click();
  await bar(page).getByText('is not finished yet').waitFor();
  put(at.workspace, 'a.txt', LINES.replace('one', 'both'));
  await goOn(page).click();
  await page.getByText('The recovery is finished').waitFor();
  await banner.waitFor({ state: 'detached' });
  expect(at.retake.run(at.workspace, 'recover', '--continue', '--json').json.error.code).toBe('nothing-to-recover');
});

browserTest('[GIT-6] while it is looked at again, what was told stays, and nothing below it moves under the pointer', async () => {
  const at = webScene();
  const session = await stopped(at);
  const { page, open } = await visit(at);
  const [isAsked, isAnswered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The first look is that of the page, the second that of the button; the third is for the banner.
  await onContinue(page, async (route, looks) => {
    if (looks === 3) {
      isAsked.resolve();
      await isAnswered.promise;
    }
    await route.continue();
  });
  await open(`/s/${session.id}/recover`);
  await underWay(page).getByText('a.txt').waitFor();
  await goOn(page).click();
  await isAsked.promise;
  await page.getByText('There are still markers in a.txt').waitFor();
  await box(page, 'Write c.txt').hover();
  await page.mouse.down();
  const answered = page.waitForResponse('**/api/recover/continue*');
  isAnswered.resolve();
  await answered;
  await underWay(page).waitFor();
  await page.mouse.up();
  expect(await box(page, 'Write c.txt').isChecked()).toBe(true);
});

browserTest('[GIT-6] a look from before the end that is answered after it does not count', async () => {
  const at = webScene();
  const session = await stopped(at);
  const { page, open } = await visit(at);
  const [isLooked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let looked = 0;
  await onContinue(page, async (route, looks, isLook) => {
    looked = looks;
    if (!isLook) await isLooked.promise;
    else if (looks === 3) {
      const early = await route.fetch();
      isLooked.resolve();
      await isOver.promise;
      return route.fulfill({ response: early });
    }
    await route.continue();
  });
  await open(`/s/${session.id}/recover`);
  await underWay(page).getByText('a.txt').waitFor();
  put(at.workspace, 'a.txt', LINES.replace('one', 'both'));
  await goOn(page).click();
  await page.getByText('The recovery is finished').waitFor();
  isOver.resolve();
  await expect.poll(() => looked).toBe(5);
  await underWay(page).waitFor({ state: 'detached' });
});

browserTest('[GIT-6] a recovery that something else holds up is told of too, with what holds it up, and can be taken back', async () => {
  const at = webScene();
  const session = await rolledBack(at);
  put(at.workspace, 'a.txt', LINES.replace('one', 'mine'));
  at.retake.json(at.workspace, 'recover', 't1', '--commit', '--on-conflict', 'manual', '--yes');
  put(at.workspace, 'a.txt', LINES.replace('one', 'both'));
  put(at.workspace, '.git/MERGE_HEAD', gitIn(at.workspace, 'rev-parse', 'HEAD'));
  const { page, open } = await visit(at);
  await open(`/s/${session.id}/recover`);
  const banner = underWay(page);
  await banner.getByText('merge').waitFor();
  await banner.getByRole('button', { name: 'Abort …' }).click();
  await page.getByRole('dialog', { name: 'Take the recovery back' }).getByRole('button', { name: 'Cancel' }).click();
  rmSync(join(at.workspace, '.git/MERGE_HEAD'));
  await goOn(page).click();
  await banner.getByText('builds on changes that are not committed').waitFor();
});

browserTest('[UI-4] on a small screen nothing of the steps is cut off', async () => {
  const at = webScene();
  const session = await rolledBack(at);
  const visiting = await visit(at, { viewport: NARROW });
  const { page, open } = visiting;
  await open(`/s/${session.id}/recover`);
  await row(page, 'Write a.txt').waitFor();
  expect(await page.evaluate("document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth")).toBe(0);
  await expectAccessible(page);
  await picture(visiting, 'recover-narrow');
});
