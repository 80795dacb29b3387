import type { Evidence } from '../kernel/evidence.ts'
import { containerEvidence, killsBetween, outOfMemory } from './container-evidence.ts'
import { gpuHealthEvidence } from './gpu-health-evidence.ts'
import { gpuLoadEvidence } from './gpu-load-evidence.ts'
import type { HostSample } from './machine-line.ts'
import type { MachineProbe, MachineView } from './machine-view.ts'
import { hostEvidence, machineView } from './machine-view.ts'
import type { PointView } from './point-view.ts'

/**
 * What the machine did to a point, from its telemetry alone. Nothing where the machine was not looked at. Without a GPU in the manifest
 * there is one unknown `host.gpu`: it is asked for by `acceptance.required_evidence: [host]` only.
 */
export function machineEvidence(view: PointView): Evidence[] {
  if (view.timeline.machine.length === 0) return []
  const machine = machineView(view)
  const gpus =
    view.manifest.engine.placement.gpus === 0
      ? [hostEvidence('gpu', true, { state: 'unknown', text: 'the manifest declares no GPU' })]
      : [...gpuLoadEvidence(machine), ...gpuHealthEvidence(machine)]
  return [
    ...gpus,
    ...(view.manifest.engine.deploy?.kind === 'docker' ? containerEvidence(machine) : memoryLimitEvidence(machine)),
    hostEvidence('cpu', false, cpu(machine)),
    hostEvidence('memory', false, memory(machine)),
  ]
}

/** Of processes without containers. Nothing where it is not known: mostly they share our own control group. */
function memoryLimitEvidence({ before, after }: MachineView): Evidence[] {
  const killed = killsBetween(before?.engineOomKills ?? null, after?.engineOomKills ?? null) ?? 0
  return killed === 0 ? [] : [outOfMemory(killed)]
}

/** Recorded, never judged: whether the client was disturbed it tells itself. */
function cpu({ host, after }: MachineView): MachineProbe {
  const busy = known(host, 'busyShare')
  if (busy.length === 0) return { state: 'unknown', text: 'processor time cannot be read' }
  const mean = busy.reduce((sum, value) => sum + value, 0) / busy.length
  const steal = Math.max(0, ...known(host, 'stealShare'))
  const others = (after?.host.busy ?? []).slice(0, 3)
  const beside = others.map(
    ({ name, pid, user, cores }) => `${name} (pid ${pid}${user === null ? '' : `, ${user}`}) ${cores.toFixed(1)} CPUs`,
  )
  const text = [
    `processors ${Math.round(mean * 100)} % busy on average`,
    ...(steal >= 0.005 ? [`up to ${Math.round(steal * 100)} % stolen by the hypervisor`] : []),
    ...(beside.length > 0 ? [`beside us: ${beside.join(', ')}`] : []),
  ].join('; ')
  return { state: 'pass', value: Math.round(mean * 1000) / 1000, unit: 'share', text }
}

function memory({ host, before, after }: MachineView): MachineProbe {
  const available = known(host, 'memoryAvailableMib')
  if (available.length === 0) return { state: 'unknown', text: 'the memory cannot be read' }
  const least = Math.min(...available)
  const [was, is] = [before?.host.oomKills ?? null, after?.host.oomKills ?? null]
  const killed = was === null || is === null ? 0 : is - was
  const text = `at least ${Math.round(least)} MiB of memory available${killed > 0 ? `; the kernel killed ${killed} processes for want of memory` : ''}`
  return { state: 'pass', value: Math.round(least), unit: 'MiB', text }
}

function known(samples: readonly HostSample[], field: keyof HostSample): number[] {
  return samples.flatMap((sample) => sample[field] ?? [])
}
