import { expect } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { browserTest, picture, visit, webScene } from './browser.ts';
import { recordFiles } from './diff-scene.ts';

browserTest('[UI-4] the difference of two checkpoints: what is compared, the files, the lines', async () => {
  const at = webScene();
  const { before, after } = recordFiles(at);
  const visiting = await visit(at);
  const { page } = visiting;
  await visiting.open(`/s/local/diff/${before}/${after}?path=src/shop/cart.ts`);
  await page.getByRole('heading', { name: 'What changed' }).waitFor();
  await page.getByText('with the tax').first().waitFor();
  expect(await page.locator('ins').allTextContents()).toContain('    sum += item.price * item.amount;');
  await expectAccessible(page);
  await picture(visiting, 'diff');
  await page.getByText('Side by side').click();
  await picture(visiting, 'diff-split');
  await expectAccessible(page);
});
