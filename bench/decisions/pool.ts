import { Worker } from 'node:worker_threads'
import { mixSeed } from '../../fixtures/engine/model/seeded-random.ts'
import type { Trial } from './trial.ts'

export interface TrialOrder {
  index: number
  seed: number
  capacitySpread: number
}

export interface TrialAnswer {
  index: number
  trial: Trial
}

export interface StudyOrder {
  seed: number
  trials: number
  /** Relative deviation of the capacity from boot to boot. */
  capacitySpread: number
  workers: number
}

/** Runs the trials of one spread on a few threads. Each is a function of the study's seed and its own number alone. */
export async function runTrials(order: StudyOrder, onTrial: (done: number) => void = () => {}): Promise<Trial[]> {
  const { seed, trials, capacitySpread } = order
  const results: Trial[] = []
  let next = 0
  let done = 0
  const handOut = (worker: Worker): void => {
    if (next < trials) {
      worker.postMessage({ index: next, seed: mixSeed(seed, next), capacitySpread } satisfies TrialOrder)
      next += 1
    } else void worker.terminate()
  }
  const threads = Array.from({ length: Math.min(order.workers, trials) }, () => {
    const worker = new Worker(new URL('worker.ts', import.meta.url))
    return new Promise<void>((resolve, reject) => {
      worker.on('message', ({ index, trial }: TrialAnswer) => {
        results[index] = trial
        done += 1
        onTrial(done)
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
