import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Pack } from '../ports/pack.ts'

/** The refusal of a pack whose points another measurement must not mix with. */
export function packInUse(location: string, hint: string): GateError {
  const message = `${location} holds the points of an earlier run`
  return new GateError({ code: 'pack_in_use', message, hint, exitCode: EXIT.usage })
}

/**
 * A single point goes into a pack of its own, or beside others that were replayed by the same manifest. Throws GateError `pack_in_use`
 * for one that a `run` left, or that holds points of another manifest.
 */
export async function requirePackOfReplays(pack: Pack, manifestText: string): Promise<void> {
  const hint = 'name another --pack folder'
  if ((await pack.read('run.json')) !== null) throw packInUse(pack.location, hint)
  if ((await pack.list('points')).length === 0) return
  const bytes = await pack.read('workload-manifest.yaml')
  if (bytes === null || new TextDecoder().decode(bytes) !== manifestText) throw packInUse(pack.location, hint)
}
