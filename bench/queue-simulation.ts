import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { randomStream } from '../src/core/schedule/random.ts'
import type { QueueInput } from '../src/core/telemetry/queue-trend.ts'

/**
 * A serving engine as a queue: Poisson arrivals, up to `slots` requests in service (the rest wait in order), each served at full speed
 * until the batch reaches the knee and sharing the engine's whole speed beyond it. Knee = rate at capacity × mean work, so that the
 * engine keeps up exactly with `capacityRps`.
 */
export interface Engine {
  title: string
  capacityRps: number
  /** Seconds of work at full speed, and how often, for each class. */
  classes: readonly { workSeconds: number; share: number }[]
  /** Each request's work is exponential around its class's mean instead of fixed. */
  exponential: boolean
  slots: number
  warmupSeconds: number
}

const SAMPLE_SECONDS = 1

/** What a client and a scraper would have seen of one run: samples at 1 Hz over the arrival window, after a warm-up at the same load. */
export function simulateQueue(engine: Engine, load: number, windowSeconds: number, seed: string): QueueInput {
  const random = randomStream(seed)
  const uniform = () => (uniformInt(random, 0, 0x7fffffff) + 0.5) / 0x80000000
  const exponential = (mean: number) => -mean * Math.log(uniform())
  const meanWork = engine.classes.reduce((sum, { workSeconds, share }) => sum + workSeconds * share, 0)
  const knee = engine.capacityRps * meanWork
  const drawWork = () => {
    let left = uniform()
    const chosen = engine.classes.find(({ share }) => (left -= share) < 0) ?? engine.classes[0]
    const mean = chosen?.workSeconds ?? 1
    return engine.exponential ? exponential(mean) : mean
  }
  const inService: number[] = []
  const waiting: number[] = []
  const samples: { inFlight: number; waiting: number }[] = []
  // `served` is the work that a request in service since the start would have got: one ends when it reaches its own mark.
  let [now, served] = [-engine.warmupSeconds, 0]
  let nextArrival = now + exponential(1 / (engine.capacityRps * load))
  let nextSample = SAMPLE_SECONDS / 2
  const admit = (work: number) => pushHeap(inService, served + work)
  while (now < windowSeconds) {
    const speed = inService.length === 0 ? 0 : Math.min(1, knee / inService.length)
    const nextEnd = speed === 0 ? Infinity : now + ((inService[0] ?? 0) - served) / speed
    const next = Math.min(nextArrival, nextEnd, nextSample)
    served += speed * (next - now)
    now = next
    if (next === nextSample) {
      samples.push({ inFlight: inService.length + waiting.length, waiting: waiting.length })
      nextSample += SAMPLE_SECONDS
    } else if (next === nextEnd) {
      popHeap(inService)
      const queued = waiting.shift()
      if (queued !== undefined) admit(queued)
    } else {
      if (inService.length < engine.slots) admit(drawWork())
      else waiting.push(drawWork())
      nextArrival = now + exponential(1 / (engine.capacityRps * load))
    }
  }
  const gauge = (value: (sample: { inFlight: number; waiting: number }) => number) =>
    samples.map((sample, index) => ({ atUs: (index + 0.5) * SAMPLE_SECONDS * 1_000_000, value: value(sample) }))
  return {
    arrivalUs: windowSeconds * 1_000_000,
    inFlight: gauge(({ inFlight }) => inFlight),
    backlog: gauge(() => 0),
    waiting: [gauge((sample) => sample.waiting)],
  }
}

function pushHeap(heap: number[], value: number): void {
  let at = heap.push(value) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if ((heap[parent] as number) <= value) break
    heap[at] = heap[parent] as number
    at = parent
  }
  heap[at] = value
}

function popHeap(heap: number[]): void {
  const last = heap.pop() as number
  if (heap.length === 0) return
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1
    if ((heap[child] as number) >= last) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = last
}
