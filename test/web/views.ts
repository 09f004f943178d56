import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Scene } from '../support/scene.ts';
import type { Visit } from './browser.ts';

/** What addresses of views name: things that are really there. */
export interface Named {
  readonly session: string;
  /** Two of its checkpoints, the older one first, and a step of it. */
  readonly checkpoint: string;
  readonly later: string;
  readonly step: string;
  /** Two branches of its conversation; the same one twice where it has no other. */
  readonly branches: readonly [string, string];
  /** Words that a search finds something by. */
  readonly words: string;
}

/** A view and how one gets there: tests that look at all of them go through this table. */
export interface ViewPlace {
  readonly name: string;
  /** What comes after the workspace in its address. */
  readonly path: (named: Named) => string;
}

const inSession = ({ session }: Named, path = ''): string => `/s/${encodeURIComponent(session)}${path}`;

export const VIEWS: readonly ViewPlace[] = [
  { name: 'sessions', path: () => '' },
  { name: 'session', path: (named) => inSession(named) },
  { name: 'session-branch', path: (named) => inSession(named, `?branch=${encodeURIComponent(named.branches[0])}`) },
  { name: 'checkpoint', path: (named) => inSession(named, `/c/${named.checkpoint}`) },
  { name: 'diff-present', path: (named) => inSession(named, `/diff/${named.checkpoint}`) },
  { name: 'diff', path: (named) => inSession(named, `/diff/${named.checkpoint}/${named.later}`) },
  { name: 'step', path: (named) => inSession(named, `/step/${named.step}`) },
  { name: 'changes', path: (named) => inSession(named, '/changes') },
  { name: 'forks', path: (named) => inSession(named, '/forks') },
  { name: 'compare', path: (named) => inSession(named, `/compare/${named.branches.map(encodeURIComponent).join('/')}`) },
  { name: 'recover', path: (named) => inSession(named, '/recover') },
  { name: 'rollbacks', path: () => '/rollbacks' },
  { name: 'git', path: () => '/git' },
  { name: 'search', path: ({ words }) => `/search?q=${encodeURIComponent(words)}` },
  { name: 'search-empty', path: () => '/search' },
  { name: 'settings', path: () => '/settings' },
  { name: 'nothing-here', path: () => '/nothing-here' },
  { name: 'no-such-session', path: () => '/s/nobody' },
];

// biome-ignore lint/suspicious/noExplicitAny: answers of the command line
type Any = any;

/** What there is of a session, asked of the command line. */
export const namedIn = ({ retake, workspace }: Scene, session: string, words: string): Named => {
  const { operations } = retake.json(workspace, 'log', '--session', session);
  const steps: Any[] = operations.filter(({ kind, files }: Any) => kind === 'after-step' && files?.changed > 0);
  const [step, oldest] = [steps[0], steps.at(-1)];
  if (step === undefined) throw new Error('nothing was done in the session');
  const leavesIn = ({ branch, children }: Any): string[] => (children.length === 0 ? [branch] : children.flatMap(leavesIn));
  const leaves: string[] = retake
    .json(workspace, 'forks')
    .tree.filter(({ sessions }: Any) => sessions.includes(session))
    .flatMap(leavesIn);
  const [a = '@', b = a] = leaves;
  return { session, checkpoint: oldest.id, later: step.id, step: step.id, branches: [a, b], words };
};

/** How long nothing may be asked for before a view counts as shown. */
const QUIET = 250;

/** A page that can be waited for until it shows what it was opened for. */
export class Stillness {
  readonly #page: Page;
  #underWay = 0;
  #since = performance.now();

  constructor(page: Page) {
    this.#page = page;
    const count = (by: number) => (request: { url(): string }) => {
      // One that goes on for as long as the page is there.
      if (request.url().includes('/api/events')) return;
      this.#underWay = Math.max(0, this.#underWay + by);
      this.#since = performance.now();
    };
    page.on('request', count(1));
    page.on('requestfinished', count(-1));
    page.on('requestfailed', count(-1));
  }

  /** Nothing is asked for any more, nothing is being read, and all of that is on the screen. */
  async come(): Promise<void> {
    const reading = this.#page.getByRole('status').filter({ hasText: '…' });
    for (let tries = 0; tries < 1200; tries++) {
      const isQuiet = this.#underWay === 0 && performance.now() - this.#since >= QUIET;
      if (isQuiet && (await reading.count()) === 0) break;
      await sleep(50);
    }
    await this.#page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))');
  }

  /** Goes to a view and waits until it is shown. */
  async open({ at }: Pick<Visit, 'at'>, path: string): Promise<void> {
    this.#underWay = 0;
    await this.#page.goto(at(path));
    await this.#page.locator('main').waitFor();
    await this.come();
  }

  /** The same from another view, as a link does: the page stays. */
  async go({ at }: Pick<Visit, 'at'>, path: string): Promise<void> {
    this.#since = performance.now();
    await this.#page.evaluate(`history.pushState(null, '', ${JSON.stringify(at(path))})`);
    await this.come();
  }
}

/** By how many pixels the page itself can be scrolled sideways; lists and code may scroll inside of it. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)');

/** Has a page hear where the log is before all else, as it mostly does: what is answered sooner, it asks for once more. */
export const hearPositionFirst = async (page: Page): Promise<void> => {
  let heard = Promise.withResolvers<void>();
  page.on('request', (request) => {
    if (request.isNavigationRequest()) heard = Promise.withResolvers();
  });
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/events/position')) heard.resolve();
  });
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/') && !pathname.startsWith('/api/events'),
    async (route) => {
      await heard.promise;
      await route.continue();
    },
  );
};
