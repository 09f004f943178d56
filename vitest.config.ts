import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One by default where there are two cores, and most tests wait for processes of their own.
    maxWorkers: 2,
    // Real git and real processes on shared machines: slow is not wrong.
    testTimeout: 900_000,
    hookTimeout: 900_000,
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
