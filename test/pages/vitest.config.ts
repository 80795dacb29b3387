import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'pages',
    include: ['test/pages/**/*.test.ts'],
    // One browser at a time: it takes all cores.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
