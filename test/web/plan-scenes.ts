import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { PlayedSession } from '../conversation/played-session.ts';
import { put, type Scene } from '../support/scene.ts';
import { webScene } from './browser.ts';

/** A file of the workspace as it is; undefined where there is none. */
export const read = (at: Scene, path: string): string | undefined =>
  existsSync(join(at.workspace, path)) ? readFileSync(join(at.workspace, path), 'utf8') : undefined;

export const write = async (at: Scene, session: PlayedSession, path: string, content: string): Promise<void> =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, content));

export const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
export const text = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

export interface Played {
  readonly at: Scene;
  readonly session: PlayedSession;
}

/** A turn that leaves `a.txt` as it was, and one that changes it and makes `new.txt` and `dir/deep.txt`. */
export const twoTurns = async (prepare: (at: Scene) => void = () => {}, env: Record<string, string> = {}): Promise<Played> => {
  const at = webScene(env);
  put(at.workspace, 'a.txt', text());
  put(at.workspace, 'mine.txt', 'mine\n');
  put(at.workspace, 'old.txt', 'old\n');
  prepare(at);
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('Begin');
  await write(at, session, 'a.txt', text({ 0: 'ONE' }));
  await session.answer('Begun.');
  await session.prompt('Go on\nwith care');
  await write(at, session, 'a.txt', text({ 0: 'ONE', 4: 'agent' }));
  await write(at, session, 'new.txt', 'new\n');
  await write(at, session, 'dir/deep.txt', 'deep\n');
  await session.answer('Done.');
  return { at, session };
};

/** The dialog that is open. */
export const dialogOf = (page: Page): Locator => page.locator('dialog[open]');

/** The button that carries the plan out. */
export const actOf = (page: Page, name: RegExp | string): Locator => dialogOf(page).getByRole('button', { name });

/** The words of the toast that came up last. */
export const toastOf = (page: Page): Locator => page.locator('[aria-live=polite] > div').last();

/** Rolls back by the command line to the state before a turn, so that the history has an entry to begin from. */
export const rewound = ({ at }: Played, ...args: string[]) => at.retake.json(at.workspace, 'rewind', ...args, '--yes');
