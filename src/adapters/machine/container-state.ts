import type { Owned } from '../../app/ports/engine.ts'
import type { ContainerState } from '../../core/telemetry/machine-line.ts'
import type { BoundedCommand } from './bounded-command.ts'

const DEADLINE_MS = 5000
const FORMAT = '{{.Id}} {{.RestartCount}} {{.State.OOMKilled}} {{.State.StartedAt}}'
const ROW = /^([0-9a-f]{64}) (\d{1,9}) (true|false) (\S{1,40})$/

/**
 * How often the runtime restarted the engine's containers, and whether the kernel ended one for its memory. Null where the engine has none,
 * and where the runtime does not tell of each.
 */
export async function containerStates(owned: Owned | null, docker: BoundedCommand): Promise<ContainerState[] | null> {
  const ids = owned?.containers ?? []
  if (ids.length === 0 || !ids.every((id) => /^[0-9a-f]{64}$/.test(id))) return null
  const { stdout } = await docker.run(['inspect', '--type', 'container', '--format', FORMAT, ...ids], DEADLINE_MS)
  const told = new Map(
    stdout.split('\n').flatMap((line): [string, ContainerState][] => {
      const [, id, restarts, oomKilled, startedAt] = ROW.exec(line.trim()) ?? []
      if (id === undefined || startedAt === undefined) return []
      return [[id, { id, restarts: Number(restarts), oomKilled: oomKilled === 'true', startedAt }]]
    }),
  )
  const states = ids.flatMap((id) => told.get(id) ?? [])
  return states.length === ids.length ? states : null
}
