import { rmSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { forked, forksOf, turn } from '../forks/forked.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';
import { nestedOverTwo, TWO_HUNDRED, writeWays } from './forks-written.ts';

const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Branches' });
const item = (page: Page, title: string | RegExp): Locator => tree(page).getByRole('treeitem', { name: title });
const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Branch' });

/** The tree as assistive programs are told it: levels and titles. */
const shown = (page: Page): Promise<string[]> =>
  tree(page)
    .getByRole('treeitem')
    .evaluateAll((items) => items.map((one) => `${one.ariaLevel} ${one.querySelector('bdi')?.textContent}`));

/** Nothing of the view is beside the screen, or its part of it. */
const fits = (page: Page): Promise<boolean> => page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth);

// biome-ignore lint/suspicious/noExplicitAny: as the program answers
const flat = (branches: readonly any[], level = 1): string[] =>
  branches.flatMap(({ title, children }) => [`${level} ${title}`, ...flat(children, level + 1)]);

browserTest('[UI-4] [FRK-4] the tree that is drawn is the one that retake forks tells, with its facts and where one is', async () => {
  const at = webScene();
  const { session } = await forked(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session.id}/forks`);
  await item(page, /^begin/)
    .or(item(page, /begin/))
    .first()
    .waitFor();
  expect(await shown(page)).toEqual(flat(forksOf(at).tree));
  const right = item(page, /You are here/);
  expect(await right.getAttribute('aria-current')).toBe('true');
  const words = await right.textContent();
  for (const fact of ['right', '1 turn', '2 steps', 'checkpoints', '2 files', '+2', '−1', session.id.slice(0, 8)])
    expect(words).toContain(fact);
  expect(await item(page, /begin/).textContent()).toContain('2 ways from here, code known');
  await page.getByText('3 branches, 1 fork').waitFor();
  await page.getByRole('list', { name: 'Legend' }).getByText('fork, its code is known').waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(visiting, 'forks');
});

browserTest('[FRK-1] [UI-4] a way that the conversation takes while one looks is drawn by itself', async () => {
  const at = webScene();
  const { session, place } = await forked(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session.id}/forks`);
  await page.getByText('live', { exact: true }).waitFor();
  await item(page, /right/).click();
  session.rewindTo(place);
  await turn(at, session, 'third', { 'third.txt': 'third\n' });
  await item(page, /third.*You are here|You are here.*third/).waitFor();
  await page.getByText('4 branches, 1 fork').waitFor();
  await panel(page).getByRole('button', { name: 'Merge into “third”' }).waitFor();
});

browserTest('[FRK-2] where the conversation is gone, its forks are still there to go back to', async () => {
  const at = webScene();
  const { session } = await forked(at);
  forksOf(at);
  rmSync(session.path);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session.id}/forks`);
  await page.getByText('There is no conversation to be shown').waitFor();
  const lost = page.getByRole('region', { name: 'Forks of conversations that are gone' });
  expect(await lost.textContent()).toContain('2 ways, code known');
  await lost.getByRole('button', { name: 'Roll back to it' }).waitFor();
  await expectAccessible(page);
});

browserTest('[UI-4] [FRK-4] a branch opens a panel: its facts, the way to it, its timeline, and the code that became of it', async () => {
  const at = webScene();
  const { session } = await forked(at);
  const [{ checkpoint }] = forksOf(at).forks;
  const visiting = await visit(at);
  const { page, workspace } = visiting;
  await visiting.open(`/s/${session.id}/forks`);
  await item(page, /left/).click();
  await panel(page).getByRole('heading', { name: 'left' }).waitFor();
  const way = panel(page).getByRole('navigation', { name: 'Way to this branch' });
  await way.waitFor();
  expect(await way.getByRole('link').allTextContents()).toEqual(['begin', 'left']);
  expect(await way.getByRole('link').last().getAttribute('href')).toMatch(new RegExp(`^/w/${workspace}/s/${session.id}\\?branch=`));
  const facts = await panel(page).locator('dl').textContent();
  for (const fact of ['Turns1', 'Steps2', '2 files', `code at ${checkpoint.slice(0, 8)}`]) expect(facts).toContain(fact);
  expect(
    await panel(page)
      .getByRole('link', { name: checkpoint.slice(0, 8) })
      .getAttribute('href'),
  ).toContain(`/c/${checkpoint}`);
  await panel(page).getByRole('button', { name: 'Code changes on it' }).click();
  const files = panel(page).getByRole('list', { name: 'Files changed on this branch' });
  await files.getByRole('button', { name: /shared.txt/ }).click();
  await panel(page).getByRole('region', { name: 'Lines that changed' }).waitFor();
  await panel(page).locator('ins').waitFor();
  expect(await panel(page).locator('del').allTextContents()).toEqual(['two']);
  expect(await panel(page).locator('ins').allTextContents()).toEqual(['left']);
  await expectAccessible(page);
  await picture(visiting, 'forks-panel');

  // It is open again after a look elsewhere.
  await panel(page).getByRole('link', { name: 'Open its timeline' }).click();
  await page.waitForURL(`**/s/${session.id}?branch=*`);
  await page.goBack();
  await panel(page).getByRole('heading', { name: 'left' }).waitFor();
  await panel(page).getByRole('button', { name: 'Close the panel' }).click();
  expect(await panel(page).count()).toBe(0);
});

browserTest('[UI-4] the keys: arrows walk, Enter opens, Escape closes, Space folds, c compares', async () => {
  const at = webScene();
  const { session } = await forked(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session.id}/forks`);
  await item(page, /You are here/).waitFor();
  const focused = (): Promise<unknown> => page.evaluate(`document.activeElement?.querySelector('bdi')?.textContent`);
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('ArrowDown');
  expect(await focused()).toBe('right');
  await press('ArrowUp');
  expect(await focused()).toBe('left');
  await press('ArrowLeft');
  expect(await focused()).toBe('begin');
  await press('Space');
  expect(await shown(page)).toEqual(['1 begin']);
  expect(await item(page, /begin/).getAttribute('aria-expanded')).toBe('false');
  await press('ArrowRight', 'ArrowRight');
  expect(await focused()).toBe('left');
  await press('Enter');
  await panel(page).getByRole('heading', { name: 'left' }).waitFor();
  await panel(page).locator('h2:focus').waitFor();
  await press('Escape');
  expect(await panel(page).count()).toBe(0);
  expect(await focused()).toBe('left');

  // In the list as in every tree; its arrows leave those of other controls alone.
  await page.getByRole('radio', { name: 'List' }).check();
  await press('ArrowLeft');
  expect(await page.getByRole('radio', { name: 'Tree' }).isChecked()).toBe(true);
  await press('ArrowRight');
  expect(await page.getByRole('radio', { name: 'List' }).isChecked()).toBe(true);
  expect(await shown(page)).toEqual(['1 begin', '2 left', '2 right']);
  await item(page, /begin/).focus();
  await press('ArrowDown', 'ArrowDown');
  expect(await focused()).toBe('right');
  await press('Home');
  expect(await focused()).toBe('begin');
  await press('ArrowLeft');
  expect(await shown(page)).toEqual(['1 begin']);
  await press('ArrowRight', 'End');
  expect(await focused()).toBe('right');
  await expectAccessible(page);
  await picture(visiting, 'forks-list');

  await press('c', 'Escape');
  expect(await page.getByText('to be compared with').count()).toBe(0);
  await press('c', 'ArrowUp', 'Enter');
  await page.waitForURL(/\/compare\//);
  await page.getByRole('heading', { name: 'Compare branches' }).waitFor();
});

browserTest('[UI-4] a large drawing is zoomed and moved inside its own box', async () => {
  const at = webScene();
  const session = writeWays(at, TWO_HUNDRED);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session}/forks`);
  await page.getByText('200 branches, 66 forks').waitFor();
  // What can be taken in at first; the way to where the session is, is open.
  const first = await shown(page);
  expect(first.length).toBeLessThanOrEqual(60);
  await item(page, 'Try number 199').waitFor();
  await expectAccessible(page);
  await picture(visiting, 'forks-many');
  await page.getByRole('button', { name: 'Unfold all' }).click();
  await item(page, 'Try number 100').waitFor();
  expect(await shown(page)).toEqual(flat(forksOf(at).tree));
  const size = (): Promise<string | null> => page.getByText(/^\d+ %$/).textContent();
  await page.keyboard.press('f');
  expect(await size()).toBe('30 %');
  await page.getByRole('button', { name: 'Larger' }).click();
  expect(await size()).toBe('40 %');
  await picture(visiting, 'forks-many-far');
  await page.keyboard.press('+');
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  expect(await size()).toBe('30 %');
  // The page itself does not scroll.
  expect(await fits(page)).toBe(true);

  // Pulled by the mouse.
  for (let turn = 0; turn < 5; turn++) await page.getByRole('button', { name: 'Larger' }).click();
  const box = tree(page).locator('xpath=../../..');
  const scrolled = (): Promise<number[]> => box.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  await item(page, 'Try number 199').scrollIntoViewIfNeeded();
  const [left = 0, top = 0] = await scrolled();
  expect(top).toBeGreaterThan(50);
  const card = await item(page, 'Try number 199').boundingBox();
  const between = { x: (card?.x ?? 0) + 220, y: (card?.y ?? 0) - 8 };
  await page.mouse.move(between.x, between.y);
  await page.mouse.down();
  await page.mouse.move(between.x + 30, between.y + 50, { steps: 5 });
  await page.mouse.up();
  expect(await scrolled()).toEqual([Math.max(0, left - 30), top - 50]);
});

browserTest('[UI-4] among 200 branches one is found by words of its title, with the way to it', async () => {
  const at = webScene();
  const session = writeWays(at, TWO_HUNDRED);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session}/forks`);
  await item(page, /Build a shop/).waitFor();
  await page.getByRole('searchbox', { name: 'Filter by title' }).fill('needle');
  await page.getByText('1 of 200 found').waitFor();
  await expectAccessible(page);
  const found = await shown(page);
  expect(found.at(0)).toBe('1 Build a shop');
  expect(found.at(-1)).toContain('the needle');
  await page.getByRole('searchbox', { name: 'Filter by title' }).fill('no such thing');
  await page.getByText('No branch has such a title').waitFor();
  await page.getByRole('searchbox', { name: 'Filter by title' }).fill('');
  await item(page, /Build a shop/).waitFor();
});

browserTest('[FRK-2] where the code at a fork is not known, the tree says why and going back there is refused', async () => {
  const at = webScene();
  const session = writeWays(at, [
    ['begin', null],
    ['one way', 0],
    ['another', 0],
  ]);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session}/forks`);
  await item(page, /one way/).click();
  const [{ reason }] = forksOf(at).forks;
  await panel(page).getByText(`There is no going back to it: code not known: ${reason}.`).waitFor();
  const back = panel(page).getByRole('button', { name: 'Roll back to its fork point' });
  expect(await back.getAttribute('aria-disabled')).toBe('true');
  expect(await panel(page).getByRole('button', { name: 'Switch to it' }).getAttribute('aria-disabled')).toBe('true');
  expect(await item(page, /begin/).textContent()).toContain(`2 ways from here, code not known: ${reason}`);
  await expectAccessible(page);
});

browserTest('[FRK-4] a fork inside a fork over two session files, and all conversations beside each other', async () => {
  const at = webScene();
  const { first, second } = await nestedOverTwo(at);
  const alone = writeWays(at, [['something else', null]]);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${first.id}/forks`);
  await item(page, /inner right/).waitFor();
  const own = forksOf(at).tree.filter(({ title }: { title: string }) => title === 'begin');
  expect(await shown(page)).toEqual(flat(own));
  // The way of the session that is looked at, and where the work is.
  expect(await page.getByRole('navigation', { name: 'Way to here' }).getByRole('link').allTextContents()).toEqual(['begin', 'right']);
  expect(await item(page, /You are here/).textContent()).toContain('inner right');
  expect(await item(page, /this session/).textContent()).toContain('right');
  await item(page, /inner left/).click();
  await panel(page)
    .getByRole('link', { name: second.id.slice(0, 8) })
    .first()
    .waitFor();
  await panel(page).getByRole('button', { name: 'Compare with root' }).waitFor();
  await picture(visiting, 'forks-nested');
  await page.getByRole('radio', { name: 'All' }).check();
  await item(page, /something else/).waitFor();
  expect((await shown(page)).toSorted()).toEqual(flat(forksOf(at).tree).toSorted());
  await item(page, /something else/).click();
  await panel(page).getByText(alone.slice(0, 8)).first().waitFor();
  await panel(page).getByText('it begins at no fork').waitFor();
  await expectAccessible(page);
  // Those of different conversations have nothing to be compared by.
  await panel(page).getByRole('button', { name: 'Compare with another …' }).click();
  await item(page, /inner left/).click();
  await page.getByText('They are of different conversations').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  // One branch has no way to tell.
  await visiting.open(`/s/${alone}/forks`);
  await page.getByText('One branch.').waitFor();
  expect(await page.getByRole('navigation', { name: 'Way to here' }).count()).toBe(0);
});

browserTest('[UI-4] on a narrow screen it is an indented list, and the panel comes from below', async () => {
  const at = webScene();
  const { session } = await forked(at);
  const visiting = await visit(at, { viewport: NARROW });
  const { page } = visiting;
  await visiting.open(`/s/${session.id}/forks`);
  await item(page, /You are here/).waitFor();
  expect(await shown(page)).toEqual(['1 begin', '2 left', '2 right']);
  expect(await page.locator('svg path[d*="C"]').count()).toBe(0);
  const [outer, inner] = await Promise.all([/begin/, /left/].map((title) => item(page, title).locator('bdi').boundingBox()));
  expect((inner?.x ?? 0) - (outer?.x ?? 0)).toBeGreaterThan(8);
  await picture(visiting, 'forks-narrow');
  await item(page, /left/).click();
  await panel(page).getByRole('button', { name: 'Compare with parent' }).waitFor();
  expect(await fits(page)).toBe(true);
  await expectAccessible(page);
  await picture(visiting, 'forks-narrow-panel');
});

browserTest('[SEC] titles with HTML, script and characters that turn lines around stay what they are: text', async () => {
  const at = webScene();
  const hostile = [
    '<img src=x onerror="document.title=1">',
    '<script>document.title=2</script>',
    'a\u202egnp.exe\u2066 \u001b[31mred',
    '"\'><b>',
  ];
  const session = writeWays(at, [['begin', null], ...hostile.map((title): readonly [string, number] => [title, 0])]);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${session}/forks`);
  await item(page, /begin/).first().waitFor();
  const titles = (await shown(page)).slice(1);
  expect(titles).toEqual([`2 ${hostile[0]}`, `2 ${hostile[1]}`, '2 a\ufffdgnp.exe\ufffd \u241b[31mred', `2 ${hostile[3]}`]);
  for (const [at] of hostile.entries()) {
    await tree(page)
      .getByRole('treeitem')
      .nth(at + 1)
      .click();
    await panel(page).locator('h2 bdi').waitFor();
  }
  await page.getByRole('radio', { name: 'List' }).check();
  expect((await shown(page)).slice(1)).toEqual(titles);
  expect(await page.locator('main img, main script, main b').count()).toBe(0);
  expect(await page.title()).toBe('Fork tree · Retake');
});
