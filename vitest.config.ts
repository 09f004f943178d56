import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Needs a real agent: npm run e2e:claude.
    exclude: ['test/e2e/**', 'node_modules/**'],
    // One by default where there are two cores, and most tests wait for processes of their own.
    maxWorkers: 2,
    // Real git and real processes on shared machines: slow is not wrong.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
