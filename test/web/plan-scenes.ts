import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { put, type Scene } from '../support/scene.ts';
import { type Visit, visit, webScene } from './browser.ts';

/** A file of the workspace as it is; undefined where there is none. */
export const read = (at: Scene, path: string): string | undefined =>
  existsSync(join(at.workspace, path)) ? readFileSync(join(at.workspace, path), 'utf8') : undefined;

/** One step of the agent that writes a file. */
export const write = ({ at, session }: Played, path: string, content: string): Promise<void> =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, content));

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Ten lines, some of them changed. */
export const text = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

export interface Played {
  readonly at: Scene;
  readonly session: PlayedSession;
}

/** `a.txt` as the second turn finds it, and as it leaves it. */
export const BEFORE = text({ 0: 'ONE' });
export const AFTER = text({ 0: 'ONE', 4: 'agent' });

/** Two turns: the first changes a line of `a.txt`, the second another one, and makes `new.txt` and `dir/deep.txt`. */
export const twoTurns = async (prepare: (at: Scene) => void = () => {}): Promise<Played> => {
  const at = webScene();
  put(at.workspace, 'a.txt', text());
  put(at.workspace, 'mine.txt', 'mine\n');
  prepare(at);
  const played = { at, session: new PlayedSession(at) };
  const { session } = played;
  await session.start();
  await session.prompt('Begin');
  await write(played, 'a.txt', BEFORE);
  await session.answer('Begun.');
  await session.prompt('Go on\nwith care');
  await write(played, 'a.txt', AFTER);
  await write(played, 'new.txt', 'new\n');
  await write(played, 'dir/deep.txt', 'deep\n');
  await session.answer('Done.');
  return played;
};

/** The dialog that is open. */
export const dialogOf = (page: Page): Locator => page.locator('dialog[open]');

export const buttonIn = (page: Page, name: RegExp | string): Locator => dialogOf(page).getByRole('button', { name });

/** What was said last, in passing. */
export const toastOf = (page: Page): Locator => page.locator('[aria-live=polite] > div').last();

/** The rows of the plan's changes in sight: what each says, in one line. */
export const changesIn = async (page: Page): Promise<string[]> => {
  const rows = await dialogOf(page).getByRole('region', { name: 'Changes' }).getByRole('listitem').allInnerTexts();
  return rows.map((row) => row.replaceAll(/\s+/g, ' ').trim());
};

/** The lines of a file that is looked at. */
export const linesIn = async (shown: Locator): Promise<string> => (await shown.locator('span').allTextContents()).join('\n');

/** Waits until the plan is there, and no other is being made. */
export const planned = async (page: Page): Promise<void> => {
  await dialogOf(page).locator('[aria-busy=false]').waitFor();
};

interface Wanted {
  readonly session: string;
  readonly checkpoint: string;
  readonly scope?: 'code' | 'conversation' | 'both' | undefined;
  readonly paths?: readonly string[];
  readonly hunks?: readonly object[];
}

/** Asked for as other views ask: by functions that ask the server in turn. */
interface AskedPlan {
  readonly title: string;
  readonly action: string;
  /** What is posted to, once for the plan and once for doing it. */
  readonly post: string;
}

type Calls = {
  readonly rollBack: Wanted;
  readonly undo: string;
  readonly keep: string;
  readonly discard: string;
  readonly runPlan: AskedPlan;
};

/** Calls what other views call: the functions of `usePlans()`, found in the page that React drew. */
export const callPlans = <N extends keyof Calls>(page: Page, name: N, argument: Calls[N]): Promise<void> =>
  page.evaluate(
    ([name, argument]) => {
      interface Fiber {
        readonly memoizedProps?: { readonly value?: Record<string, (argument: unknown) => void> } | null;
        readonly child: Fiber | null;
        readonly sibling: Fiber | null;
      }
      const { document } = globalThis as unknown as { document: { getElementById(id: string): Record<string, Fiber> } };
      const start = Object.entries(document.getElementById('root')).find(([key]) => key.startsWith('__reactContainer$'))?.[1];
      const plansBelow = (fiber: Fiber | null | undefined): Record<string, (argument: unknown) => void> | undefined => {
        for (let one = fiber; one; one = one.sibling) {
          const value = one.memoizedProps?.value;
          const found = typeof value?.runPlan === 'function' ? value : plansBelow(one.child);
          if (found !== undefined) return found;
        }
        return undefined;
      };
      const post = async (path: string, body: object): Promise<unknown> => {
        const response = await fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
        return response.json();
      };
      const request = (asked: { title: string; action: string; post: string }) => ({
        title: asked.title,
        action: asked.action,
        preview: (choices: object) => post(asked.post, { ...choices, dryRun: true }),
        apply: ({ branching, ...carrying }: { branching: object }) => post(asked.post, { ...carrying, ...branching }),
        said: ({ restored, deleted }: { restored: number; deleted: number }) => `Said: ${restored} restored, ${deleted} deleted`,
        onDone: ({ rollbackId }: { rollbackId: string }) => Object.assign(globalThis, { doneWith: rollbackId }),
      });
      const plans = plansBelow(start);
      if (plans === undefined) throw new Error('there are no plans here');
      plans[name]?.(name === 'runPlan' ? request(argument as { title: string; action: string; post: string }) : argument);
    },
    [name, argument] as const,
  );

export interface Opened extends Pick<Visit, 'page' | 'context' | 'open'> {
  /** The address of a view. */
  readonly place: Visit['at'];
}

/** The history of rollbacks in a browser, which has all dialogs. */
export const opened = async ({ at }: Pick<Played, 'at'>): Promise<Opened> => {
  const visiting = await visit(at);
  await visiting.open('/rollbacks');
  await visiting.page.getByRole('heading', { name: 'Rollback history' }).waitFor();
  await visiting.page.getByText('live', { exact: true }).waitFor();
  const { page, context, open, at: place } = visiting;
  return { page, context, open, place };
};

/** The dialog of a rollback, with its plan: of the code, unless another scope is wanted, or none. */
export const wantRollback = async ({ page }: Opened, wanted: Wanted): Promise<void> => {
  await callPlans(page, 'rollBack', { scope: 'code', ...wanted });
  await planned(page);
};

/** Waits for what must come to pass; how long it may take says nothing about the page. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 600_000 });

/** What was told of the last rollback. */
export const lastRollback = (at: Scene) => at.retake.json(at.workspace, 'rollbacks').rollbacks[0];

/** Nothing of what is in front is wider than it has room for. */
export const expectNoOverflow = async (page: Page): Promise<void> => {
  const dialogs = dialogOf(page);
  const shown = (await dialogs.count()) > 0 ? dialogs : page.locator('main');
  expect(await shown.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
};
