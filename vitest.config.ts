import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Many tests wait for another process: more of them than cores keep two cores busy.
    maxWorkers: 3,
  },
});
