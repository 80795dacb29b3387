import type { ReplayControl, ReplayOrder } from '../../../src/app/ports/replay.ts'
import type { ChunkSeries } from '../../../src/core/record/gaps.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import type { TelemetryLine } from '../../../src/core/telemetry/line.ts'
import type { Stage } from './stages.ts'
import { testShape } from './shape.ts'

/** A control that keeps what it is told. */
export interface Watch extends ReplayControl {
  records: RequestRecord[]
  chunks: ChunkSeries[]
  samples: Extract<TelemetryLine, { t: 'client' }>[]
  /** How many records there were each time that `extend` was asked. */
  asks: number[]
}

export function watch(answers: { extend?: boolean; stop?: (records: number) => string | null } = {}): Watch {
  const seen: Watch = {
    records: [],
    chunks: [],
    samples: [],
    asks: [],
    onRecord(record, chunks) {
      seen.records.push(record)
      seen.chunks.push({ gapsUs: chunks.gapsUs, tokensPerChunk: chunks.tokensPerChunk })
    },
    onSample: (line) => void seen.samples.push(line),
    extend() {
      seen.asks.push(seen.records.length)
      return answers.extend ?? true
    },
    stop: () => answers.stop?.(seen.records.length) ?? null,
  }
  return seen
}

/** An open loop at 200 requests a second, from 50 ms on, unless told otherwise. */
export function orderOn(stage: Pick<Stage, 'clock' | 'targets'>, parts: Partial<ReplayOrder> = {}): ReplayOrder {
  const warmupUs = parts.warmupUs ?? 0
  return {
    shape: testShape(),
    targets: stage.targets,
    load: { openMilliRps: 200_000 },
    originUs: stage.clock.nowUs() + 50_000 + warmupUs,
    warmup: [],
    warmupUs,
    blocks: [],
    maximumDurationUs: 60_000_000,
    ...parts,
  }
}

export const never: AbortSignal = new AbortController().signal
