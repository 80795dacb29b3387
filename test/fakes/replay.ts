import type { Clock } from '../../src/app/ports/clock.ts'
import type { Replay } from '../../src/app/ports/replay.ts'
import type { AnswerOf } from './fake-answer.ts'
import { fakeRecord } from './fake-answer.ts'
import { FakeRun } from './replay-run.ts'

export interface FakeReplayOptions {
  clock: Clock
  answer?: AnswerOf
}

/** A load generator without a network: what each request meets is said by a function, and time passes on the given clock. */
export function fakeReplay(options: FakeReplayOptions): Replay {
  const { clock } = options
  const answer: AnswerOf = options.answer ?? (() => ({}))
  return {
    async send(_shape, target, row, signal) {
      signal.throwIfAborted()
      const met = answer(row, target.index)
      const record = fakeRecord(row, 0, target.index, met)
      await clock.sleep(record.endUs / 1000, signal)
      return met.refusal === undefined ? record : { ...record, refusal: met.refusal }
    },
    run: (order, control, signal) => new FakeRun(clock, order, control, answer).run(signal),
  }
}
