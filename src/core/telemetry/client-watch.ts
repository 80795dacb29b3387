import type { Evidence } from '../kernel/evidence.ts'
import type { Timeline } from './timeline.ts'

type Samples = Timeline['client']

/** A pause of so large a part of the longest stall explains it. */
const EXPLAINS = 0.5
const SHORTEST_CAUSE_US = 5_000

/**
 * What the client saw of itself over the cohort: `client.event_loop` (its longest standstill), `client.gc` (pauses for garbage collection)
 * and `client.cpu` (processor time). Facts without a limit of their own: what they did to the measurement is judged slice by slice, and
 * a client that polls for a due time uses a whole core without being late.
 */
export function watchEvidence({ client }: Pick<Timeline, 'client'>): Evidence[] {
  const samples = client.filter(({ atUs }) => atUs > 0)
  const first = client.findLast(({ atUs }) => atUs <= 0) ?? samples[0]
  const spanUs = (samples.at(-1)?.atUs ?? 0) - (first?.atUs ?? 0)
  if (samples.length === 0 || spanUs <= 0) return ['event_loop', 'gc', 'cpu'].map(unwatched)
  const stallUs = Math.max(...samples.map(({ loopStallUs }) => loopStallUs))
  const pauseUs = Math.max(...samples.map(({ gcMaxUs }) => gcMaxUs))
  const pausesUs = total(samples, ({ gcUs }) => gcUs)
  const cores = Math.round((1000 * total(samples, ({ cpuUs }) => cpuUs)) / spanUs) / 1000
  const pauses = `garbage collection paused ${pauseUs / 1000} ms at most and ${pausesUs / 1000} ms in all`
  return [
    fact('event_loop', stallUs / 1000, 'ms', `the event loop stood still for ${stallUs / 1000} ms at most`),
    fact('gc', pauseUs / 1000, 'ms', pauses),
    fact('cpu', cores, 'cores', `the client used ${cores.toFixed(2)} cores, polling included`),
  ]
}

/**
 * Why a client was late in a slice, as far as its samples tell: the largest of what can be seen. Null where nothing can, or nothing
 * beyond the stall that is told already.
 */
export function likelyCause(samples: Samples, isStallTold: boolean): string | null {
  const longest = (value: (sample: Samples[number]) => number): number => Math.max(0, ...samples.map(value))
  const stallUs = longest(({ loopStallUs }) => loopStallUs)
  const pauseUs = longest(({ gcMaxUs }) => gcMaxUs)
  if (pauseUs >= SHORTEST_CAUSE_US && pauseUs >= EXPLAINS * stallUs) {
    return `garbage collection paused ${pauseUs / 1000} ms`
  }
  if (isStallTold) return null
  if (stallUs >= SHORTEST_CAUSE_US) return `the event loop stood still for ${stallUs / 1000} ms`
  const backlog = longest((sample) => sample.backlog)
  return backlog > 0 ? `up to ${backlog} requests waited unsent` : null
}

function total(samples: Samples, value: (sample: Samples[number]) => number): number {
  return samples.reduce((sum, sample) => sum + value(sample), 0)
}

function fact(detail: string, value: number, unit: string, text: string): Evidence {
  return { probe: `client.${detail}`, state: 'pass', required: false, blames: 'client', value, unit, text }
}

function unwatched(detail: string): Evidence {
  return { probe: `client.${detail}`, state: 'unknown', required: false, blames: 'client', text: 'was not watched' }
}
