import { neededMilliRps } from '../../core/capacity/calibration-rate.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { ceilingOf } from '../../core/telemetry/calibration.ts'
import { calibrationNeed, neededEventsPerSecond } from '../../core/telemetry/calibration-need.ts'
import { clientFindings } from '../../core/telemetry/client-host.ts'
import type { ClientLoad } from '../../core/telemetry/client-host.ts'
import type { MachineFinding } from '../../core/telemetry/machine-findings.ts'
import type { DoctorFinding, DoctorReport, DoctorSection } from '../doctor.ts'
import type { Calibrator } from '../ports/calibrator.ts'
import type { ClientHost } from '../ports/client-host.ts'

export interface ClientOrder {
  host: ClientHost
  /** Whether this very client was calibrated within a day; nothing is measured. */
  calibrator: Pick<Calibrator, 'kept'>
  /** Whose load the client is to carry; null: what there is is told. */
  manifest: Manifest | null
  /** The oldest Node that will do, for people. */
  neededNode: string
}

/** What the load generator has to work with here, and whether that is enough for a manifest. */
export function clientSection(order: ClientOrder): DoctorSection {
  return { examine: () => examine(order) }
}

async function examine({ host, calibrator, manifest, neededNode }: ClientOrder): Promise<DoctorReport> {
  const facts = await host.look()
  const load = manifest === null ? null : await loadOf(manifest, calibrator)
  const findings = clientFindings(facts, load, neededNode)
  return {
    title: 'the client',
    summary: manifest !== null && load === null ? ['the manifest states no rate: what a rate needs is not known'] : [],
    findings: findings.map(asDoctorFinding),
    facts: { client: facts, load },
  }
}

async function loadOf(manifest: Manifest, calibrator: Pick<Calibrator, 'kept'>): Promise<ClientLoad | null> {
  const milliRps = neededMilliRps(manifest, null, null)
  if (milliRps === null) return null
  const need = calibrationNeed(manifest, milliRps)
  const kept = await calibrator.kept(need)
  return {
    rps: milliRps / 1000,
    eventsPerSecond: neededEventsPerSecond(need),
    inFlight: Math.max(mostInFlight(manifest, milliRps), ...(manifest.sweep?.saturation_concurrency ?? [])),
    ceiling: kept === null ? null : ceilingOf(kept).eventsPerSecond,
  }
}

/** By Little's law, of requests that each take as long as their cutoffs allow. */
function mostInFlight({ workload }: Manifest, milliRps: number): number {
  const meanMs = workload.reduce((sum, shape) => {
    const { request_ttft_cutoff_ms: ttftMs, request_tpot_cutoff_ms: tpotMs, output_tokens: tokens } = shape
    return sum + shape.mix * Math.min(ttftMs + tpotMs * tokens, shape.request_e2e_cutoff_ms ?? Infinity)
  }, 0)
  return Math.ceil((milliRps / 1000) * (meanMs / 1000))
}

/** What it costs that a probe does not pass. */
const COSTS: Readonly<Record<string, string>> = {
  cores: 'the client may be late: its calibration, which a run begins with, refuses what it cannot measure',
  descriptors: 'connections fail, and the points they fail in are invalid',
  local_ports: 'connections fail, and the points they fail in are invalid',
  clock: 'each of the client’s times is less exact: its calibration tells by how much',
  port: 'a run that starts an engine there ends before it does',
}

function asDoctorFinding({ probe, state, text, mend }: MachineFinding): DoctorFinding {
  return {
    probe: `client.${probe}`,
    state: state === 'warn' ? 'fail' : state,
    required: state === 'fail',
    text,
    cost: state === 'pass' ? null : (COSTS[probe] ?? null),
    mend: state === 'pass' ? null : mend,
  }
}
