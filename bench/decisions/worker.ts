// One of the pool's threads: runs the trials that it is handed, one at a time.
import { parentPort } from 'node:worker_threads'
import type { PoolAnswer, PoolOrder } from './pool.ts'
import { runTrial } from './trial.ts'

parentPort?.on('message', ({ index, order }: PoolOrder) => {
  parentPort?.postMessage({ index, trial: runTrial(order) } satisfies PoolAnswer)
})
