import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { daemonScene } from '../daemon/support.ts';
import { retakeIn } from '../support/cli.ts';
import type { Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const program = inject('chromium');

/** A test with the browser; skipped, as the setup has said, where there is none. */
export const browserTest = test.skipIf(program === '');

/**
 * What a window brings along that nobody looks at: the suggestions below the address, two pages of their own, and a process for a page that does
 * not come. Without them a new page takes less than half the time. Of several lists the last counts, so that those of Playwright are here again.
 */
const UNSEEN = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Nothing but what is asked for goes over the network, and that is loopback. */
const QUIET = [
  `--disable-features=${UNSEEN.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launched: Promise<Browser> | undefined;

/** The browser of this worker, which plays one file after the other, and with whose process it ends. What is copied is for all pages of a browser. */
const browser = (): Promise<Browser> => {
  launched ??= launch();
  return launched;
};

/** Its files are where all that is left in the end is cleared away: it may be ended before it could do that itself. */
const launch = async (): Promise<Browser> => {
  vi.stubEnv('TMPDIR', inject('homes'));
  try {
    return await chromium.launch({ executablePath: program, args: QUIET });
  } finally {
    vi.unstubAllEnvs();
  }
};

/** So that the port is free, whoever else serves; and whoever waits for a busy machine is not told to go on. */
const gitContext = (): Record<string, string> => ({
  RETAKE_DAEMON_ENABLED: 'true',
  RETAKE_HOOK_DEADLINE_MS: '60000',
  RETAKE_AGENT_TELL_REWINDS: 'false',
  RETAKE_SERVER_PORT: String(randomInt(20_000, 30_000)),
});

/**
 * A workspace of its own in a data directory that the tests of this worker have in common, one after the other, and with it a daemon that is warm.
 * Who sets something for all workspaces takes it back; who lives in another environment, or ends the daemon, wants `ownScene`.
 */
export const webScene = (): Scene => {
  const home = join(inject('homes'), process.env.VITEST_POOL_ID ?? '');
  const at = { workspace: temporaryDirectory(), retake: retakeIn(home, gitContext()) };
  mkdirSync(at.retake.home, { recursive: true, mode: 0o700 });
  return at;
};

/** A workspace with a data directory and a daemon of its own, which end with the test. */
export const ownScene = (env: Record<string, string> = {}): Scene => daemonScene({ ...gitContext(), ...env });

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

/** A number as the page writes it. */
export const count = (number: number): string => number.toLocaleString('en');

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 320, height: 640 };

/** For machines that others keep busy. */
const PATIENCE = 180_000;

export interface VisitOptions extends BrowserContextOptions {
  /** What the browser's console may say, where something is made to fail. */
  readonly expected?: RegExp;
}

/** A person's browser that shows nothing yet, signed in as the page of the link does it that `retake serve` prints. */
export const visit = async (scene: Scene, options: VisitOptions = {}): Promise<Visit> => {
  const { link, ...visiting } = await begin(scene, options);
  const signedIn = await visiting.context.request.post(`${visiting.url}/api/sign-in`, { data: { code: new URL(link).hash.slice(1) } });
  expect(signedIn.status()).toBe(200);
  return visiting;
};

/** One in which a person followed that link. */
export const visitByLink = async (scene: Scene, options: VisitOptions = {}): Promise<Visit> => {
  const { link, ...visiting } = await begin(scene, options);
  await visiting.page.goto(link);
  await visiting.page.waitForURL(`${visiting.url}/w/**`);
  return visiting;
};

/**
 * A browser and the link that it may follow. Whatever the page complains about fails the test when it ends: an error, a request that went
 * astray, something that the policy refused.
 */
const begin = async (scene: Scene, { expected, ...options }: VisitOptions): Promise<Visit & { readonly link: string }> => {
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
  const at = (path = ''): string => `${url}/w/${workspace}${path}`;
  return { link, page, context, url, workspace, at, open: async (path) => void (await page.goto(at(path))) };
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
