import type { Evidence } from '../kernel/evidence.ts'
import { claimedGpus } from './claimed-gpus.ts'
import type { GpuProcess, GpuSample, GpuState, HostSample, MachineState } from './machine-line.ts'
import type { PointView } from './point-view.ts'

/** What a point's telemetry says of the machine, sorted for its evidence. */
export interface MachineView {
  before: MachineState | null
  after: MachineState | null
  /** Between the two looks. */
  spanUs: number
  /** The GPUs that the run uses, as they were before it; null where they are not known, and then `why` says why. */
  claimed: GpuState[] | null
  why: string
  /** During the arrivals, by UUID. */
  samples: ReadonlyMap<string, GpuSample[]>
  /** The share of the arrival window within a second and a half of a sample. */
  sampledShare: number
  /** Every list of processes, before, during and after. */
  processLists: GpuProcess[][]
  host: HostSample[]
  lastGap: string | null
}

/** A sample speaks for this long before and after it: at one a second, one may be missed. */
const REACH_US = 1_500_000

export function machineView({ timeline, facts, manifest }: PointView): MachineView {
  const { arrivalUs } = facts
  const view: MachineView = {
    before: null,
    after: null,
    spanUs: 0,
    claimed: null,
    why: '',
    samples: new Map(),
    sampledShare: 0,
    processLists: [],
    host: [],
    lastGap: null,
  }
  const samples = new Map<string, GpuSample[]>()
  const looks: number[] = []
  const times: number[] = []
  for (const { atUs, seen } of timeline.machine) {
    if (seen.kind === 'state') {
      view[seen.phase] = seen.state
      looks.push(atUs)
      if (seen.state.processes !== null) view.processLists.push(seen.state.processes)
    } else if (seen.kind === 'processes') view.processLists.push(seen.processes)
    else if (seen.kind === 'host') view.host.push(seen.host)
    else if (seen.kind === 'gap' && seen.probe === 'gpus') view.lastGap = seen.error
    else if (seen.kind === 'gpus') {
      times.push(atUs)
      if (atUs < 0 || atUs > arrivalUs) continue
      for (const sample of seen.gpus) {
        const known = samples.get(sample.uuid)
        if (known) known.push(sample)
        else samples.set(sample.uuid, [sample])
      }
    }
  }
  view.samples = samples
  view.spanUs = (looks.at(-1) ?? 0) - (looks[0] ?? 0)
  view.sampledShare = covered(times, arrivalUs)
  return { ...view, ...claimOf(view.before, manifest) }
}

function claimOf(before: MachineState | null, manifest: PointView['manifest']): Pick<MachineView, 'claimed' | 'why'> {
  if (before === null) return { claimed: null, why: 'the machine was not looked at' }
  if (before.gpus === null) return { claimed: null, why: before.gpusWhy ?? 'the GPUs cannot be read' }
  const { gpus } = before
  const claim = claimedGpus(manifest, gpus)
  if (claim === null) return { claimed: null, why: 'which GPUs the endpoint uses is not known' }
  if (claim.missing.length > 0) {
    return { claimed: null, why: `the machine has ${gpus.length} GPUs, and no ${claim.missing.join(', ')}` }
  }
  return { claimed: gpus.filter(({ uuid }) => claim.uuids.includes(uuid)), why: '' }
}

/** Of the window from 0 on, the share that lies near a time. `times` ascend. */
function covered(times: readonly number[], windowUs: number): number {
  if (windowUs <= 0) return 0
  let total = 0
  let until = 0
  for (const time of times) {
    const from = Math.max(until, time - REACH_US)
    const to = Math.min(windowUs, time + REACH_US)
    if (to > from) total += to - from
    until = Math.max(until, to)
  }
  return total / windowUs
}

export type MachineProbe = Pick<Evidence, 'state' | 'text'> & Partial<Pick<Evidence, 'value' | 'limit' | 'unit'>>

/** One probe of the host's group. */
export function hostEvidence(probe: string, required: boolean, found: MachineProbe): Evidence {
  return { probe: `host.${probe}`, required, blames: 'host', ...found }
}
