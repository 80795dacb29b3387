import type { Manifest } from '../../core/manifest/schema.ts'
import type { MachineFinding } from '../../core/telemetry/machine-findings.ts'
import { machineFindings } from '../../core/telemetry/machine-findings.ts'
import type { DoctorFinding, DoctorReport, DoctorSection } from '../doctor.ts'
import { machineLook } from '../machine-look.ts'
import type { Machine } from '../ports/machine.ts'

export interface MachineOrder {
  machine: Machine
  /** What the machine is to be fit for; null: what there is is told. */
  manifest: Manifest | null
  /** An engine stands on it already. */
  engineIsUp: boolean
}

/** What a run would see of this machine, and what keeps it from measuring here. */
export function machineSection(order: MachineOrder): DoctorSection {
  return { examine: (signal) => examine(order, signal) }
}

async function examine({ machine, manifest, engineIsUp }: MachineOrder, signal: AbortSignal): Promise<DoctorReport> {
  const order = manifest ? machineLook(manifest) : { withGpus: true, dcgmUrl: 'auto', owned: null }
  const state = await machine.look(order, signal)
  const asksForHost = manifest?.acceptance.required_evidence.includes('host') ?? false
  const findings = machineFindings(state, { manifest, engineIsUp })
  return {
    title: 'this machine',
    summary: order.withGpus ? [] : ['the manifest declares no GPU: only the host is looked at'],
    findings: findings.map((finding) => asDoctorFinding(finding, asksForHost)),
    facts: { state },
  }
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
