import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'system',
    include: ['test/system/**/*.test.ts'],
    // One daemon, and real processes measured in real time.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
