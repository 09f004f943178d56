import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { daemonScene } from '../daemon/support.ts';
import type { Scene } from '../support/scene.ts';

const program = inject('chromium');

/** A test with the browser; skipped, as the setup has said, where there is none. */
export const browserTest = test.skipIf(program === '');

/** Nothing but what is asked for goes over the network, and that is loopback. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launched: Promise<Browser> | undefined;

const browser = (): Promise<Browser> => {
  launched ??= chromium.launch({ executablePath: program, args: QUIET });
  return launched;
};

afterAll(async () => {
  await (await launched)?.close();
  launched = undefined;
});

/** A workspace with a daemon of its own that may serve. */
export const webScene = (env: Record<string, string> = {}): Scene =>
  daemonScene({
    RETAKE_HOOK_DEADLINE_MS: '60000',
    RETAKE_AGENT_TELL_REWINDS: 'false',
    RETAKE_SERVER_PORT: String(randomInt(20_000, 30_000)),
    ...env,
  });

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Where the server is. */
  readonly url: string;
  /** The workspace, as addresses name it. */
  readonly workspace: string;
  /** The address of a view: what comes after the workspace. */
  readonly at: (path?: string) => string;
  /** Goes to a view of the workspace. */
  readonly open: (path?: string) => Promise<void>;
}

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 320, height: 640 };

/** For machines that others keep busy. */
const PATIENCE = 180_000;

export interface VisitOptions extends BrowserContextOptions {
  /** What the browser's console may say, where something is made to fail. */
  readonly expected?: RegExp;
}

/**
 * A person's browser, signed in by the link that `retake serve` prints. Whatever the page complains about fails the test when it ends: an error, a
 * request that went astray, something that the policy refused.
 */
export const visit = async (scene: Scene, { expected, ...options }: VisitOptions = {}): Promise<Visit> => {
  const { url, link, workspace } = scene.retake.json(scene.workspace, 'serve');
  const context = await (await browser()).newContext({ viewport: WIDE, ...options });
  // How long it takes says nothing about the page.
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = listen(page, url, expected);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(`What the page showed at ${page.url()}:\n${await page.locator('body').ariaSnapshot()}`);
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(link);
  await page.waitForURL(`${url}/w/**`);
  const at = (path = ''): string => `${url}/w/${workspace}${path}`;
  return { page, context, url, workspace, at, open: async (path) => void (await page.goto(at(path))) };
};

/** What a request is answered that is refused for good reason: the page shows it, and the browser's console has it too. */
const REFUSAL = /Failed to load resource: the server responded with a status of 4\d\d/;

const listen = (page: Page, url: string, expected = REFUSAL): string[] => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) complaints.push(`request to ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
};

const PICTURES = process.env.RETAKE_PICTURES;

/** Writes pictures of a view, light and dark, for people to look at; only where RETAKE_PICTURES says where to. */
export const picture = async (
  { page }: Pick<Visit, 'page'>,
  name: string,
  options: { readonly fullPage?: boolean } = {},
): Promise<void> => {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`), ...options });
  }
  await page.emulateMedia({ colorScheme: 'light' });
};
