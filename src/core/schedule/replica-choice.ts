import type { Manifest } from '../manifest/schema.ts'
import type { ScheduleHeader, ScheduleRow } from './schedule.ts'

/** How the client chooses a replica: in turn, or the same one for a session or a shared prefix. */
export type ReplicaPolicy = 'round_robin' | 'session' | 'prefix'

/** The manifest's policy where the client is the router; whoever else routes is addressed in turn. */
export function replicaPolicy({ engine }: Pick<Manifest, 'engine'>): ReplicaPolicy {
  const router = engine.deploy?.router
  return router?.kind === 'client' ? router.policy : 'round_robin'
}

/** The replica that a row always goes to, as an index; null where it takes the next one in turn. */
export type StickyReplica = (row: Pick<ScheduleRow, 'session' | 'prefix'>) => number | null

/**
 * Session k (in order of first appearance in `rows`) always goes to replica k mod `replicas`, the k-th prefix of the set likewise: a
 * function of the schedule alone, whatever has become of any request. Warm-up rows are numbered by themselves.
 */
export function stickyReplica(
  policy: ReplicaPolicy,
  replicas: number,
  { prefixes }: Pick<ScheduleHeader, 'prefixes'>,
  rows: readonly Pick<ScheduleRow, 'session'>[],
): StickyReplica {
  if (policy === 'round_robin') return () => null
  const numbers = new Map<string, number>()
  const names = policy === 'session' ? rows.map(({ session }) => session) : prefixes.map(({ id }) => id)
  for (const name of names) if (name !== undefined && !numbers.has(name)) numbers.set(name, numbers.size)
  return (row) => {
    const number = numbers.get((policy === 'session' ? row.session : row.prefix) ?? '')
    return number === undefined ? null : number % replicas
  }
}
