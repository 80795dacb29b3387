import type { Evidence } from '../kernel/evidence.ts'
import type { ContainerState } from './machine-line.ts'
import type { MachineView } from './machine-view.ts'

const shared = { blames: 'engine', limit: 0 } as const

/**
 * `stability.container` of an engine in containers: none of them was restarted, and none of their processes killed for its memory, by what
 * the container runtime and the control groups count. A restart by whatever hand leaves another engine than the one that was measured.
 * Unknown where neither tells.
 */
export function containerEvidence({ before, after }: MachineView): Evidence[] {
  const kills = killsBetween(before?.engineOomKills ?? null, after?.engineOomKills ?? null)
  const pairs = pairsOf(before?.containers ?? null, after?.containers ?? null)
  const ended = pairs?.filter(({ was, is }) => is.oomKilled && !was.oomKilled).length
  const killed = Math.max(kills ?? 0, ended ?? 0)
  const evidence = killed === 0 ? [] : [outOfMemory(killed)]
  if (pairs === null) {
    const text = 'restarts of its containers are not told'
    return [...evidence, { ...container, state: 'unknown', required: false, text }]
  }
  const restarted = pairs.filter(isRestarted)
  const names = restarted.map(({ is }) => is.id.slice(0, 12)).join(', ')
  const text =
    restarted.length > 0
      ? `restarted during the point: ${names}`
      : `${pairs.length} containers, none restarted; ${killed} processes killed at their memory limit`
  const state = restarted.length > 0 ? 'fail' : 'pass'
  return [...evidence, { ...container, state, required: true, value: restarted.length, unit: 'restarts', text }]
}

const container = { ...shared, probe: 'stability.container' } as const

/** Out of memory is the engine's fault. */
export function outOfMemory(killed: number): Evidence {
  const text = `the kernel killed ${killed} of the engine’s processes at its memory limit`
  const probe = 'stability.out_of_memory'
  return { ...shared, probe, state: 'fail', required: true, value: killed, unit: 'processes', text }
}

export function killsBetween(was: number | null, is: number | null): number | null {
  return was === null || is === null ? null : Math.max(0, is - was)
}

interface Pair {
  was: ContainerState
  is: ContainerState
}

/** Each container at both looks; null where one is missing from either. */
function pairsOf(before: readonly ContainerState[] | null, after: readonly ContainerState[] | null): Pair[] | null {
  if (before === null || after === null || before.length !== after.length) return null
  const pairs = before.flatMap((was): Pair[] => {
    const is = after.find(({ id }) => id === was.id)
    return is ? [{ was, is }] : []
  })
  return pairs.length === before.length ? pairs : null
}

function isRestarted({ was, is }: Pair): boolean {
  return is.restarts > was.restarts || is.startedAt !== was.startedAt
}
