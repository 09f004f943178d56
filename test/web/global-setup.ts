import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../../bench/chromium.ts';
import { endDaemons } from '../daemon/processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's program; empty where there is none. */
    chromium: string;
    /** In it, each worker has a home of its own for the whole run. */
    homes: string;
  }
}

/** By the system's package manager, where we may. */
const install = (): string | undefined => {
  const run = (...args: string[]): boolean => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  console.log('Installing Chromium for the tests of the web page …');
  return run('update', '-q') && (run('install', '-q', '-y', 'chromium-headless-shell') || run('install', '-q', '-y', 'chromium'))
    ? findChromium()
    : undefined;
};

/** Finds a browser for the tests of the web page, or says why they are skipped; ends in the end what they had in common. */
export default ({ provide }: TestProject): (() => Promise<void>) => {
  const chromium = findChromium() ?? install();
  if (chromium === undefined)
    console.log(
      'skipped: the tests of the web page, because there is no Chromium here and it may not be installed. CHROMIUM=/path/to/it names one.',
    );
  provide('chromium', chromium ?? '');
  const homes = realpathSync(mkdtempSync(join(tmpdir(), 'retake-web-')));
  provide('homes', homes);
  // Browsers that are about to end may still write there.
  const clearAway = (): void => rmSync(homes, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  // A run that is interrupted is not torn down: daemons end by themselves when their files are gone.
  process.once('exit', clearAway);
  return async () => {
    for (const home of readdirSync(homes)) await endDaemons(join(homes, home, 'retake'));
    clearAway();
  };
};
