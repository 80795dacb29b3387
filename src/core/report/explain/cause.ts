import type { BootRecord, PointReport } from '../../capacity/record.ts'

/** A number at the baseline's point and at the candidate's; null where it is not known. */
export interface Figure {
  title: string
  was: number | null
  is: number | null
}

/** Seen: what is told is itself the cause. Inferred: it follows from times and gauges by a model of the engine. */
export type Basis = 'seen' | 'inferred'

/** Something that changed in the engine or around it, and what it does to a request by itself. */
export interface Root {
  id: string
  title: string
  basis: Basis
  figures: Figure[]
  /** What it takes of the engine's capacity, 0 to 1: what it is charged with of the queue and of larger batches. */
  load: number
  /** Milliseconds that it adds to the TTFT of a class's request, and to a token. */
  ttftMs(className: string): number
  tpotMs: number
}

/** One side of a comparison: a point, its boot and what its evidence tells. */
export interface Side {
  point: PointReport
  boot: BootRecord | undefined
}

/** A probe's number; null where it is not known. */
export function probed({ point }: Side, probe: string): number | null {
  return point.evidence.findLast((item) => item.probe === probe)?.value ?? null
}

/** The share of the prompts' tokens that came from a cache, as the answers say, else the engine's counters; null where neither does. */
export function hitShare(side: Side): number | null {
  const { slo, key } = side.point
  return slo.cached_tokens === null || !slo.input_tokens
    ? probed(side, `cache_hit.${key.cache}`)
    : slo.cached_tokens / slo.input_tokens
}

/** Tokens of a chunk over all classes, each weighed by its chunks; null where no engine said. */
export function tokensPerChunk({ point }: Side): number | null {
  let [tokens, chunks] = [0, 0]
  for (const { tokens_per_chunk: told } of Object.values(point.slo.classes)) {
    if (!told || told.mean === null) continue
    tokens += told.mean * told.n
    chunks += told.n
  }
  return chunks === 0 ? null : tokens / chunks
}

/** The share by which a number rose; null where one is not known or the first is zero. */
export function riseOf({ was, is }: Pick<Figure, 'was' | 'is'>): number | null {
  return was === null || is === null || was === 0 ? null : is / was - 1
}
