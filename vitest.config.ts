import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One by default where there are two cores, and most tests wait for processes of their own.
    maxWorkers: 2,
    // Real git and real processes on shared machines: slow is not wrong.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A second by default, which a browser on a busy machine may need for one page.
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        // The others need a real agent (npm run e2e:claude) or a browser.
        test: { name: 'program', include: ['test/**/*.test.ts'], exclude: ['test/e2e/**', 'test/web/**', 'node_modules/**'] },
      },
      { extends: true, test: { name: 'web', include: ['test/web/**/*.test.ts'], globalSetup: 'test/web/global-setup.ts' } },
    ],
  },
});
