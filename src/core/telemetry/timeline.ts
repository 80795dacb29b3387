import type { Evidence } from '../kernel/evidence.ts'
import type { TelemetryLine } from './line.ts'

type ClientSample = Extract<TelemetryLine, { t: 'client' }>
type MachineLine = Extract<TelemetryLine, { t: 'machine' }>
type EngineEvent = Extract<TelemetryLine, { t: 'event' }>

/** One scrape of one replica: series as scraped → value. */
export interface Scrape {
  atUs: number
  values: Readonly<Record<string, number>>
}

/** A point's telemetry by kind, each in the order of its times. `scrapes` has an entry for each replica, from 0. */
export interface Timeline {
  client: ClientSample[]
  scrapes: Scrape[][]
  failedScrapes: number
  events: EngineEvent[]
  machine: MachineLine[]
  /** Facts that the adapters probed themselves. */
  evidence: Evidence[]
}

/** Sorts a point's telemetry lines by kind. Lines of a replica beyond `replicas` are left out. */
export function readTimeline(lines: Iterable<TelemetryLine>, replicas: number): Timeline {
  const timeline: Timeline = {
    client: [],
    scrapes: Array.from({ length: replicas }, () => []),
    failedScrapes: 0,
    events: [],
    machine: [],
    evidence: [],
  }
  for (const line of lines) {
    if (line.t === 'client') timeline.client.push(line)
    else if (line.t === 'engine') timeline.scrapes[line.replica]?.push({ atUs: line.atUs, values: line.values })
    else if (line.t === 'gap') timeline.failedScrapes += 1
    else if (line.t === 'event') timeline.events.push(line)
    else if (line.t === 'machine') timeline.machine.push(line)
    else if (line.t === 'evidence') timeline.evidence.push(line.evidence)
  }
  timeline.client.sort(byTime)
  for (const scrapes of timeline.scrapes) scrapes.sort(byTime)
  timeline.events.sort(byTime)
  timeline.machine.sort(byTime)
  return timeline
}

function byTime(a: { atUs: number }, b: { atUs: number }): number {
  return a.atUs - b.atUs
}
