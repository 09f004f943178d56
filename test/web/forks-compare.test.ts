import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { branchNamed, forked, forksOf, turn } from '../forks/forked.ts';
import type { Scene } from '../support/scene.ts';
import { expectAccessible } from './accessible.ts';
import { browserTest, NARROW, picture, visit, webScene } from './browser.ts';
import { nestedOverTwo } from './forks-written.ts';

const idOf = (at: Scene, title: string): string => branchNamed(forksOf(at).tree, title).branch;

const side = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });

browserTest(
  '[UI-4] [FRK-5] two branches side by side: ancestor, what each did, what both changed, and how far apart they are',
  async () => {
    const at = webScene();
    const { session } = await forked(at);
    const [left, right] = [idOf(at, 'left'), idOf(at, 'right')];
    const told = at.retake.json(at.workspace, 'compare', right, left);
    const visiting = await visit(at);
    const { page } = visiting;
    await visiting.open(`/s/${session.id}/compare/${right}/${left}`);
    const meter = page.getByRole('meter', { name: 'Divergence' });
    await meter.waitFor();
    expect(Number(await meter.getAttribute('value'))).toBe(told.divergence);
    const divergence = await page.getByRole('region', { name: 'Divergence' }).textContent();
    expect(divergence).toContain('Divergence 0.67: mostly different');
    expect(divergence).toContain('3 lines changed on the left, 3 on the right, 1 in common');
    const ancestor = page.getByRole('region', { name: 'Common ancestor' });
    await ancestor.getByText('did: begin').waitFor();
    expect(await ancestor.getByRole('link').getAttribute('href')).toContain(`/c/${told.ancestor.checkpoint}`);
    const ofRight = await side(page, 'right').textContent();
    for (const words of ['You are here', '1 turn, 2 steps since', '2 files', 'right.txtadded', 'shared.txtboth, conflictchanged'])
      expect(ofRight).toContain(words);
    expect(await side(page, 'left').textContent()).toContain('left.txtadded');
    const conflicts = page.getByRole('region', { name: 'Conflicts' });
    expect(await conflicts.textContent()).toContain('shared.txtboth changed the same lines');
    await expectAccessible(page);
    await picture(visiting, 'compare');

    // A file: what each side made of it.
    await conflicts.getByRole('button', { name: /shared.txt/ }).click();
    const file = page.getByRole('region', { name: 'Changes of shared.txt' });
    await file.locator('ins').nth(1).waitFor();
    expect(await file.locator('del').allTextContents()).toEqual(['two', 'two']);
    expect(await file.locator('ins').allTextContents()).toEqual(['right', 'left']);
    const whole = file.getByRole('link', { name: 'Open the whole diff' });
    expect(await whole.first().getAttribute('href')).toContain(`/diff/${told.ancestor.checkpoint}/${told.a.tip}`);
    expect(await whole.last().getAttribute('href')).toContain(`/diff/${told.ancestor.checkpoint}/${told.b.tip}`);
    await expectAccessible(page);
    await picture(visiting, 'compare-file', { fullPage: true });
    await side(page, 'left')
      .getByRole('button', { name: /left.txt/ })
      .click();
    await page.getByRole('region', { name: 'Changes of left.txt' }).getByText('Not changed on this side.').waitFor();
    await page.getByRole('checkbox', { name: /Only files that both changed/ }).check();
    expect(await side(page, 'left').getByRole('list').getByRole('button').count()).toBe(1);

    // The other way round: then it can not be merged as it stands.
    await page.getByRole('button', { name: /^Merge “left” into “right”/ }).waitFor();
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await page.waitForURL(`**/compare/${left}/${right}`);
    await page.getByText('swap sides first').waitFor();
    expect(await page.getByRole('button', { name: /^Merge/ }).count()).toBe(0);
  },
);

browserTest('[FRK-5] with the parent, with another, and with none of them the present one: going to one comes first', async () => {
  const at = webScene();
  const { first } = await nestedOverTwo(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/${first.id}/forks`);
  const item = (title: RegExp): Locator => page.getByRole('treeitem', { name: title });
  await item(/inner left/).click();
  await page.getByRole('button', { name: 'Compare with parent' }).click();
  await page.waitForURL(`**/compare/${idOf(at, 'right')}/${idOf(at, 'inner left')}`);
  await side(page, 'inner left')
    .getByRole('button', { name: /inner.txt/ })
    .click();
  // Its code was recorded in the other session.
  await page.getByRole('region', { name: 'Changes of inner.txt' }).locator('ins').getByText('inner left').waitFor();
  await page.getByText('neither of these is it').waitFor();
  expect(await page.getByRole('button', { name: /^Switch to/ }).count()).toBe(2);
  await page.getByRole('link', { name: 'Fork tree' }).click();
  await item(/inner right/).click();
  await page.getByRole('button', { name: 'Compare with another …' }).click();
  await page.getByText('Which branch is “inner right” to be compared with?').waitFor();
  await item(/inner left/).click();
  await page.waitForURL(`**/compare/${idOf(at, 'inner right')}/${idOf(at, 'inner left')}`);
  await page.getByRole('button', { name: /^Merge “inner left” into “inner right”/ }).waitFor();
});

browserTest('[FRK-5] what can not be compared is said with the reason', async () => {
  const at = webScene();
  const { session } = await forked(at);
  const other = new PlayedSession(at);
  await other.start();
  await turn(at, other, 'elsewhere', { 'else.txt': 'else\n' });
  const visiting = await visit(at);
  await visiting.open(`/s/${session.id}/compare/${idOf(at, 'left')}/${idOf(at, 'elsewhere')}`);
  await visiting.page.getByRole('alert').getByText('are of different conversations').waitFor();
  await visiting.open(`/s/${session.id}/compare/${idOf(at, 'left')}/nonsense`);
  await visiting.page.getByRole('alert').getByText('There is no branch "nonsense"').waitFor();
});

browserTest('[UI-4] [SEC] narrow, and with file names that are HTML or turn lines around', async () => {
  const at = webScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'begin', { 'a.txt': 'a\n' });
  const place = session.last;
  const hostile = {
    '<img src=x onerror=alert(1)>': '<script>alert(1)</script>\u202e\n',
    'x\u202etxt.exe': 'b\n',
    ['long/'.repeat(20)]: 'c\n',
  };
  const [html = '', turned = '', long = ''] = Object.keys(hostile);
  await turn(at, session, 'one <b>way</b>', {
    [html]: hostile[html as keyof typeof hostile] ?? '',
    [turned]: 'b\n',
    [`${long}deep`]: 'c\n',
  });
  session.rewindTo(place);
  at.retake.run(at.workspace, 'rewind', 't2', '--yes');
  await turn(at, session, 'another', { 'b.txt': 'b\n' });
  const visiting = await visit(at, { viewport: NARROW });
  const { page } = visiting;
  await visiting.open(`/s/${session.id}/compare/${idOf(at, 'another')}/${idOf(at, 'one <b>way</b>')}`);
  await side(page, 'one <b>way</b>')
    .getByRole('button', { name: /<img src=x onerror=alert\(1\)>/ })
    .click();
  await page.locator('ins').getByText('<script>alert(1)</script>').waitFor();
  await side(page, 'one <b>way</b>').getByText('x\ufffdtxt.exe').waitFor();
  expect(await page.locator('main img, main script, main b').count()).toBe(0);
  expect(await page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth)).toBe(true);
  await expectAccessible(page);
  await picture(visiting, 'compare-narrow', { fullPage: true });
});
