import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    // Every command line in a process of its own, as the person types it.
    env: { RETAKE_DEEP: '1' },
    globalSetup: 'test/e2e/global-setup.ts',
    // The client alone keeps a core busy: more at once only makes all of them slow.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
