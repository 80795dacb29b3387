import { Worker } from 'node:worker_threads'
import { mixSeed } from '../../fixtures/engine/model/seeded-random.ts'
import type { Trial, TrialOrder } from './trial.ts'

export interface PoolOrder {
  index: number
  order: TrialOrder
}

export interface PoolAnswer {
  index: number
  trial: Trial
}

/** The study of one spread. */
export interface StudyOrder extends TrialOrder {
  trials: number
  workers: number
}

/** Runs the trials of one spread on a few threads. Each is a function of the study's seed and its own number alone. */
export async function runTrials(order: StudyOrder, onTrial: (trial: Trial) => void = () => {}): Promise<Trial[]> {
  const { seed, trials, capacitySpread, candidates } = order
  const results: Trial[] = []
  let next = 0
  const handOut = (worker: Worker): void => {
    if (next < trials) {
      const trial = { seed: mixSeed(seed, next), capacitySpread, candidates }
      worker.postMessage({ index: next, order: trial } satisfies PoolOrder)
      next += 1
    } else void worker.terminate()
  }
  const threads = Array.from({ length: Math.min(order.workers, trials) }, () => {
    const worker = new Worker(new URL('worker.ts', import.meta.url))
    return new Promise<void>((resolve, reject) => {
      worker.on('message', ({ index, trial }: PoolAnswer) => {
        results[index] = trial
        onTrial(trial)
        handOut(worker)
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      handOut(worker)
    })
  })
  await Promise.all(threads)
  return results
}
