import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'workflows',
    include: ['test/workflows/**/*.test.ts'],
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
