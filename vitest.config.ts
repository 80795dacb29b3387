import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/temporary-folder.ts',
    // What is waited for may take long on a busy machine; what is there is seen at once.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{contract,unit}/**/*.test.ts'],
          // One more than the cores it is meant for: several files wait for sockets and processes most of their time.
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Real processes measured in real time: one file at a time, when nothing else loads the machine.
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
