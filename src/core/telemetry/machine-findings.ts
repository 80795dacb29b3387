import type { Evidence } from '../kernel/evidence.ts'
import type { Manifest } from '../manifest/schema.ts'
import { claimedGpus } from './claimed-gpus.ts'
import { gpuFindings, gpuFindingsUnseen } from './gpu-findings.ts'
import type { MachineState } from './machine-line.ts'

/**
 * One thing seen of a machine before anything runs on it. `fail`: nothing is to be measured so; `warn`: told; `unknown`: could not be read.
 * `mend` says what to do; null where there is nothing to do.
 */
export interface MachineFinding {
  probe: string
  state: 'pass' | 'warn' | 'fail' | 'unknown'
  text: string
  mend: string | null
  value?: number
  limit?: number
  unit?: string
}

const GIB_IN_MIB = 1024
/** More runnable threads than processors: the client would wait for its own. */
const LOAD_MAX_SHARE = 0.5

/** What a machine is to be fit for. */
export interface MachineNeeds {
  /** Null: nothing was stated; what there is is looked at. */
  manifest: Pick<Manifest, 'engine' | 'machine'> | null
  /** An engine stands on it: whose memory and processes those on the GPUs are is told and not judged. */
  engineIsUp: boolean
}

const DEFAULTS = { mig: 'disabled', gpu_memory_floor_mib: 1024, min_free_disk_gib: 1 } as const

/** What speaks for and against measuring on a machine as it is. Without GPUs in the manifest only the host is judged. */
export function machineFindings(state: MachineState, { manifest, engineIsUp }: MachineNeeds): MachineFinding[] {
  const stated = manifest?.machine ?? DEFAULTS
  const host = [disk(state, stated.min_free_disk_gib * GIB_IN_MIB), load(state)]
  if (manifest?.engine.placement.gpus === 0) return host
  if (state.gpus === null) {
    const text = `the GPUs cannot be read: ${state.gpusWhy ?? 'nvidia-smi did not answer'}`
    const mend = 'install the driver’s nvidia-smi where this runs, or give the job access to the GPUs'
    return [{ probe: 'gpus', state: 'unknown', text, mend }, ...gpuFindingsUnseen(state), ...host]
  }
  const claim = manifest && claimedGpus(manifest, state.gpus)
  if (claim && claim.missing.length > 0) {
    const text = `the manifest asks for GPU ${claim.missing.join(', ')}, and the machine has ${state.gpus.length}`
    const mend = 'name GPUs that are there in engine.deploy.gpus, or run on a machine that has them'
    return [{ probe: 'gpus', state: 'fail', text, mend, value: state.gpus.length }, ...host]
  }
  const gpus = claim ? state.gpus.filter(({ uuid }) => claim.uuids.includes(uuid)) : state.gpus
  return [...gpuFindings(state, gpus, { ...stated, isIdle: !engineIsUp }), ...host]
}

/** Whether a manifest's engine is up before a run begins: an endpoint's is. */
export function isUpAlready({ engine }: Pick<Manifest, 'engine'>): boolean {
  return engine.deploy === undefined || engine.deploy.kind === 'endpoint'
}

function disk({ host }: MachineState, limit: number): MachineFinding {
  const value = host.diskFreeMib
  if (value === null) return { probe: 'disk', state: 'unknown', text: 'the free disk space cannot be read', mend: null }
  const shared = { probe: 'disk', value, limit, unit: 'MiB' }
  if (value >= limit) return { ...shared, state: 'pass', text: `${value} MiB free for the pack`, mend: null }
  const text = `${value} MiB free for the pack, less than ${limit}`
  return { ...shared, state: 'fail', text, mend: 'free disk space, or put the pack on another disk' }
}

function load({ host }: MachineState): MachineFinding {
  const { load1, logicalCpus, busy } = host
  if (load1 === null || logicalCpus === null)
    return { probe: 'load', state: 'unknown', text: 'the load cannot be read', mend: null }
  const limit = Math.max(1, logicalCpus * LOAD_MAX_SHARE)
  const shared = { probe: 'load', value: load1, limit, unit: 'threads' }
  const text = `${load1} runnable threads over the last minute on ${logicalCpus} CPUs`
  if (load1 <= limit) return { ...shared, state: 'pass', text, mend: null }
  const others = (busy ?? []).map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')
  const mend = `stop what else runs${others === '' ? '' : `: ${others}`}; whether it disturbs the client, its calibration tells`
  return { ...shared, state: 'warn', text, mend }
}

/** The findings as evidence of a run: what fails refuses it. A warning is told; what is unknown here each point says again of itself. */
export function preflightEvidence(findings: readonly MachineFinding[]): Evidence[] {
  return findings.map(({ probe, state, text, mend, value, limit, unit }) => ({
    probe: `host.preflight.${probe}`,
    state: state === 'warn' ? 'pass' : state,
    required: state === 'fail',
    blames: 'host',
    ...(value === undefined ? {} : { value }),
    ...(limit === undefined ? {} : { limit }),
    ...(unit === undefined ? {} : { unit }),
    text: mend === null ? text : `${text}: ${mend}`,
  }))
}
