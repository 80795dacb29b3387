import type { Clock } from '../../app/ports/clock.ts'
import type { Replay } from '../../app/ports/replay.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { PLAIN_CONNECTION } from '../system/engine-connection.ts'
import { runPoint } from './point-run.ts'
import { sendOne } from './send-one.ts'

/** The load generator. `clock` is the one clock that all its times are read from. */
export function createReplay(clock: Clock, connection: EngineConnection = PLAIN_CONNECTION): Replay {
  return {
    send: (shape, target, row, signal, earlier) => sendOne(clock, connection, shape, target, row, signal, earlier),
    run: (order, control, signal) => runPoint(clock, connection, order, control, signal),
  }
}
