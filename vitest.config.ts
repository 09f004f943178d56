import { defineConfig } from 'vitest/config';
import { memoryDirectory } from './test/support/memory.ts';
import { DEEP } from './test/support/tier.ts';

// Every record is flushed to the disk, and there are thousands: in memory that takes no time. The deep tier waits for the disk.
if (!DEEP) process.env.TMPDIR ??= memoryDirectory();

/** What is large takes too long for the usual tier. */
const ONLY_DEEP = DEEP ? [] : ['test/**/*.deep.test.ts'];

/** A file that gets the results as JSON, for programs. */
const report = process.env.RETAKE_TEST_REPORT;

export default defineConfig({
  test: {
    // One by default where there are two cores, and most tests wait for processes of their own, some of them for a time-out: three left a quarter
    // of two cores idle.
    maxWorkers: 4,
    // Faults of the engine that end a test process now and then: nodejs/node#64500 and nodejs/node#62393.
    execArgv: ['--no-memory-protection-keys', '--no-sparkplug'],
    // Real git and real processes on shared machines: slow is not wrong.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A second by default, which a browser on a busy machine may need for one page.
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', './test/support/timing-reporter.ts', ...(report === undefined ? [] : ['json'])],
    outputFile: { ...(report === undefined ? {} : { json: report }) },
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          // The others need a real agent (npm run e2e:claude) or a browser, or are for the deep tier.
          exclude: ['test/e2e/**', 'test/web/**', 'node_modules/**', ...ONLY_DEEP],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['test/web/**/*.test.ts'],
          exclude: ['node_modules/**', ...ONLY_DEEP],
          globalSetup: 'test/web/global-setup.ts',
          // The browser is its worker's, and lives for the whole run.
          isolate: false,
        },
      },
    ],
  },
});
