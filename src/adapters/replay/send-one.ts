import type { Clock } from '../../app/ports/clock.ts'
import type { Replica } from '../../app/ports/engine.ts'
import type { RequestShape, SingleAnswer } from '../../app/ports/replay.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { recordOf } from './ending.ts'
import { Flight } from './flight.ts'
import { RefusalReader } from './refusal-reader.ts'
import { requestBody } from './request-body.ts'
import { openShapedTransport } from './shaped-transport.ts'

/** One request outside any cohort, over a connection of its own; its times are from its own start. Rejects only when aborted. */
export async function sendOne(
  clock: Clock,
  connection: EngineConnection,
  shape: RequestShape,
  target: Replica,
  row: ScheduleRow,
  signal: AbortSignal,
  earlier: readonly ScheduleRow[] = [],
): Promise<SingleAnswer> {
  signal.throwIfAborted()
  await using transport = openShapedTransport(clock, connection, shape, [target], 0)
  const originUs = clock.nowUs()
  using flight = new Flight(shape, [target], transport, () => clock.nowUs() - originUs, connection.secrets)
  const abandon = (): void => flight.abandon()
  signal.addEventListener('abort', abandon, { once: true })
  try {
    let record: RequestRecord | null = null
    let refusal: RefusalReader | null = null
    const context = { earlier, ...(shape.texts ? { texts: shape.texts } : {}) }
    flight.launch({
      row,
      replica: 0,
      keepsReply: false,
      wrap: (exchange) => (refusal = new RefusalReader(exchange)),
      body: () => requestBody(shape, row, context),
      onSent() {},
      onEnd: (ending) => (record = recordOf(row, 0, target.index, ending)),
    })
    await flight.landed()
    if (record !== null) return await withRefusal(record, refusal, connection)
    throw signal.reason
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

async function withRefusal(
  record: RequestRecord,
  reader: RefusalReader | null,
  { secrets }: EngineConnection,
): Promise<SingleAnswer> {
  const text = (await reader?.refusal()) ?? null
  return text === null ? record : { ...record, refusal: secrets.maskCut(text) }
}
