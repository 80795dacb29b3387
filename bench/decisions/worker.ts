// One of the pool's threads: runs the trials that it is handed, one at a time.
import { parentPort } from 'node:worker_threads'
import type { TrialOrder, TrialAnswer } from './pool.ts'
import { runTrial } from './trial.ts'

parentPort?.on('message', ({ index, seed, capacitySpread }: TrialOrder) => {
  parentPort?.postMessage({ index, trial: runTrial(seed, capacitySpread) } satisfies TrialAnswer)
})
