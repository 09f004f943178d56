import type { Locator, Page } from 'playwright-core';

export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Changed files' });
export const fileIn = (page: Page, name: string): Locator => tree(page).getByRole('treeitem', { name });
export const untilShown = (page: Page, path: string): Promise<void> => page.getByRole('article', { name: path, exact: true }).waitFor();
export const lines = (page: Page): Locator => page.getByRole('article').getByRole('region');
export const linesLike = (page: Page, tag: 'ins' | 'del'): Promise<string[]> => lines(page).locator(tag).allTextContents();
export const pathInAddress = (page: Page): string | null => new URL(page.url()).searchParams.get('path');
