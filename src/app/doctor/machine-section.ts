import type { Manifest } from '../../core/manifest/schema.ts'
import type { MachineFinding } from '../../core/telemetry/machine-findings.ts'
import { machineFindings } from '../../core/telemetry/machine-findings.ts'
import type { DoctorFinding, DoctorReport, DoctorSection } from '../doctor.ts'
import { machineLook } from '../machine-look.ts'
import type { LockSeen, SeeLocks } from '../ports/locks.ts'
import type { Machine } from '../ports/machine.ts'

export interface MachineOrder {
  machine: Machine
  locks: SeeLocks
  /** What the machine is to be fit for; null: what there is is told. */
  manifest: Manifest | null
  /** An engine stands on it already. */
  engineIsUp: boolean
}

/** What a run would see of this machine, and what keeps it from measuring here. */
export function machineSection(order: MachineOrder): DoctorSection {
  return { examine: (signal) => examine(order, signal) }
}

async function examine(
  { machine, locks, manifest, engineIsUp }: MachineOrder,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const order = manifest ? machineLook(manifest) : { withGpus: true, dcgmUrl: 'auto', owned: null }
  const state = await machine.look(order, signal)
  const asksForHost = manifest?.acceptance.required_evidence.includes('host') ?? false
  const findings = machineFindings(state, { manifest, engineIsUp })
  const seen = await locks()
  return {
    title: 'this machine',
    summary: order.withGpus ? [] : ['the manifest declares no GPU: only the host is looked at'],
    findings: [...findings.map((finding) => asDoctorFinding(finding, asksForHost)), ...lockFindings(seen)],
    facts: { state, locks: seen },
  }
}

/** A finding a lock: one that is held is somebody's run, which is no fault of the machine's. */
function lockFindings(locks: readonly LockSeen[]): DoctorFinding[] {
  const finding = { probe: LOCKS_PROBE, required: false }
  if (locks.length === 0)
    return [{ ...finding, state: 'pass', text: 'no run holds anything of it', cost: null, mend: null }]
  return locks.map(({ name, path, state, holder }) => ({ ...finding, ...LOCKS[state](name, holder, path) }))
}

const LOCKS_PROBE = 'machine.locks'

type LockText = (name: string, holder: string, path: string) => Pick<DoctorFinding, 'state' | 'text' | 'cost' | 'mend'>

const REFUSED = 'a run that needs it is refused, or waits as long as lock-wait-minutes says'
const LOCKS: Readonly<Record<LockSeen['state'], LockText>> = {
  held: (name, holder) => ({
    state: 'fail',
    text: `${name} is held by ${holder}`,
    cost: REFUSED,
    mend: 'Wait for that run to end, or stop it.',
  }),
  left: (name, holder) => ({
    state: 'fail',
    text: `${name} was left by ${holder}, which has ended`,
    cost: 'nothing: the next run takes it over',
    mend: 'Remove it by `clean`.',
  }),
  elsewhere: (name, holder, path) => ({
    state: 'unknown',
    text: `${name} is held by ${holder}, on another host or in another container: whether it lives cannot be seen from here`,
    cost: REFUSED,
    mend: `If it is certainly gone, delete ${path}.`,
  }),
}

/** What it costs that a probe does not pass, by the probe. */
const COSTS: Readonly<Record<string, string>> = {
  gpus: 'nothing of the GPUs is proven: a run that requires host ends inconclusive',
  processes: 'a run is refused while others use its GPUs, and a point that they use is invalid',
  memory: 'a run is refused, and the engine would find less memory than in the baseline',
  mig: 'a run is refused: a partition is another machine',
  health: 'a run is refused while the driver asks for a reset; new errors make a point invalid',
  clocks:
    'points held down by heat or hardware are invalid; slower clocks than the baseline’s make a comparison inconclusive',
  nvlink: 'tensor-parallel replicas are slower, and the record cannot be compared with one of other links',
  xid: 'host.xid is unknown: a run that requires host ends inconclusive',
  dcgm: 'use of tensor cores and memory bandwidth is not told',
  disk: 'a run is refused: it would end when the disk is full',
  load: 'the client may be late: its calibration and its points tell',
}

function asDoctorFinding({ probe, state, text, mend }: MachineFinding, asksForHost: boolean): DoctorFinding {
  const isMissing = state !== 'pass'
  return {
    probe: `machine.${probe}`,
    state: state === 'warn' ? 'fail' : state,
    required: state === 'fail' || (state === 'unknown' && asksForHost && (probe === 'gpus' || probe === 'xid')),
    text,
    cost: isMissing ? (COSTS[probe] ?? null) : null,
    mend: isMissing ? mend : null,
  }
}
