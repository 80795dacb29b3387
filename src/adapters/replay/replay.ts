import type { Clock } from '../../app/ports/clock.ts'
import type { Replay } from '../../app/ports/replay.ts'
import { runPoint } from './point-run.ts'
import { sendOne } from './send-one.ts'

/** The load generator over HTTP/1.1. `clock` is the one clock that all its times are read from. */
export function createReplay(clock: Clock): Replay {
  return {
    send: (shape, target, row, signal) => sendOne(clock, shape, target, row, signal),
    run: (order, control, signal) => runPoint(clock, order, control, signal),
  }
}
