import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'engines',
    include: ['test/engines/**/*.test.ts'],
    // Real engines measured in real time: one at a time, and each takes over a minute to start.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
})
