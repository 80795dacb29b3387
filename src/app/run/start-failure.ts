import type { PointReport } from '../../core/capacity/record.ts'
import type { GateError } from '../../core/kernel/errors.ts'
import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { Effects } from '../context.ts'
import { judgeWritten, writeMeasured } from '../point/judge.ts'
import type { PointOrder } from '../point/protocol.ts'
import { factsOf } from '../point/protocol.ts'

/** An engine that did not start carries nothing: the point fails with an empty cohort, by the engine's fault. */
export async function failedStart(
  effects: Effects,
  order: Omit<PointOrder, 'deployment'>,
  failure: { deployId: string; error: GateError },
): Promise<PointReport> {
  const facts = factsOf({ ...order, deployment: { deployId: failure.deployId, replicas: [] } }, null)
  const lines: TelemetryLine[] = [
    { t: 'point', facts },
    { t: 'event', atUs: 0, replica: null, kind: 'start_failed', blames: 'engine', text: failure.error.message },
  ]
  await writeMeasured(effects.pack, order, { records: [], gaps: new Map(), lines })
  return judgeWritten(effects.pack, order)
}
