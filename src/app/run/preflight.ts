import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { parseMachineFile } from '../../core/telemetry/machine-file.ts'
import type { MachineFile } from '../../core/telemetry/machine-file.ts'
import type { MachineFinding } from '../../core/telemetry/machine-findings.ts'
import { isUpAlready, machineFindings, preflightEvidence } from '../../core/telemetry/machine-findings.ts'
import type { Effects } from '../context.ts'
import { machineLook } from '../machine-look.ts'
import { packJson, readPackText } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'

const MACHINE_FILE = 'machine.json'
/** An engine that was just stopped leaves its memory behind for a moment. */
const LOOKS = 3
const AGAIN_MS = 5000

export interface Preflight {
  evidence: Evidence[]
  /** Whether anything may be deployed. */
  isFit: boolean
}

/** Looks at the machine before anything is deployed, and leaves machine.json. A dirty one is refused: who holds it is said. */
export async function preflight(effects: Effects, manifest: Manifest, signal: AbortSignal): Promise<Preflight> {
  let file = await lookedAt(effects, manifest, signal)
  let findings = findingsOf(file, manifest)
  for (let looks = 1; looks < LOOKS && findings.some(mayPass); looks += 1) {
    await effects.clock.sleep(AGAIN_MS, signal)
    file = await lookedAt(effects, manifest, signal)
    findings = findingsOf(file, manifest)
  }
  await effects.pack.write(MACHINE_FILE, packJson(file))
  for (const { state, text, mend } of findings) {
    if (state === 'fail') effects.progress.warn(`the machine is not fit to measure on: ${text}`)
    else if (state === 'warn') effects.progress.warn(mend === null ? text : `${text}: ${mend}`)
  }
  return { evidence: preflightEvidence(findings), isFit: !findings.some(({ state }) => state === 'fail') }
}

async function lookedAt(effects: Effects, manifest: Manifest, signal: AbortSignal): Promise<MachineFile> {
  const state = await effects.machine.look(machineLook(manifest), signal)
  return { schema: 1, lookedAt: effects.clock.wallTime(), state }
}

function findingsOf({ state }: MachineFile, manifest: Manifest): MachineFinding[] {
  return machineFindings(state, { manifest, engineIsUp: isUpAlready(manifest) })
}

function mayPass({ probe, state }: MachineFinding): boolean {
  return state === 'fail' && (probe === 'memory' || probe === 'processes')
}

/** The same judgement from the pack alone; nothing where the run did not come so far. */
export async function storedPreflight(pack: Pack, manifest: Manifest): Promise<Evidence[]> {
  if ((await pack.read(MACHINE_FILE)) === null) return []
  const file = parseMachineFile(await readPackText(pack, MACHINE_FILE), MACHINE_FILE)
  return preflightEvidence(findingsOf(file, manifest))
}
