import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Effects } from '../context.ts'
import type { Deployment } from '../ports/engine.ts'
import type { RequestShape } from '../ports/replay.ts'

/** Of each class so many requests at once: kernels are compiled for the shapes that they are asked for. */
const ROWS_OF_A_CLASS = 8
/** The engine is thrown away: nothing that it caches is ever measured. */
const EPOCH = 0

export interface CompileWarmup {
  manifest: Manifest
  dialect: Dialect
  schedule: Schedule
  texts: readonly string[] | undefined
}

/** Asks each replica the first requests of every class, all at once, and waits for the answers, whatever they are. */
export async function warmCompileCache(
  effects: Effects,
  { manifest, dialect, schedule, texts }: CompileWarmup,
  deployment: Deployment,
  signal: AbortSignal,
): Promise<void> {
  const shape: RequestShape = { manifest, dialect, header: schedule.header, epoch: EPOCH, ...(texts ? { texts } : {}) }
  const rows = manifest.workload.flatMap(({ name }) => {
    const first = schedule.rows.filter((row) => row.class === name && (row.turn ?? 0) === 0)
    return first.slice(0, ROWS_OF_A_CLASS)
  })
  await Promise.all(
    deployment.replicas.flatMap((target) => rows.map((row) => effects.replay.send(shape, target, row, signal))),
  )
}
