import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real git and real processes on shared machines: slow is not wrong.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
