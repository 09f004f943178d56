import { spawnSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../../bench/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's program; empty where there is none. */
    chromium: string;
  }
}

/** By the system's package manager, where we may. */
const install = (): string | undefined => {
  const run = (...args: string[]): boolean => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  console.log('Installing Chromium for the tests of the web page …');
  return run('update', '-q') && run('install', '-q', '-y', 'chromium') ? findChromium() : undefined;
};

/** Finds a browser for the tests of the web page, or says why they are skipped. */
export default ({ provide }: TestProject): void => {
  const chromium = findChromium() ?? install();
  if (chromium === undefined)
    console.log(
      'skipped: the tests of the web page, because there is no Chromium here and it may not be installed. CHROMIUM=/path/to/it names one.',
    );
  provide('chromium', chromium ?? '');
};
