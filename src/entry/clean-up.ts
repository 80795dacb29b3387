import { tmpdir } from 'node:os'
import { endProcess } from '../adapters/system/end-process.ts'
import { pidSpace } from '../adapters/system/process-table.ts'
import { removeDeadLocks } from '../adapters/system/standing-locks.ts'
import { machineFolderPath, stateFolderPath } from '../adapters/system/state-folder.ts'
import { removeTemporaries } from '../adapters/system/temporaries.ts'
import { removeLeftovers } from './compose.ts'
import type { Surroundings } from './compose.ts'
import type { StepRun } from './step-state.ts'

/** What a runner gives a step that it cancels. */
const GRACE_MS = 10_000

/**
 * Removes what runs left on this machine that have ended: processes, containers, locks, temporary files; a line for each. What a living
 * run owns is not touched. `run` is a step that must be over by now, and `pack` its folder: in a container's job a runner ends only its
 * own end of the line, so that it may live on.
 */
export async function* cleanUp(
  around: Surroundings,
  run: StepRun | null = null,
  pack: string | null = null,
): AsyncGenerator<string> {
  const isHere = run?.container === pidSpace().container
  if (run !== null && isHere && (await endProcess(run, GRACE_MS)))
    yield `process ${run.pid} of the step still ran: it was ended`
  yield* await removeLeftovers(around)
  yield* await removeDeadLocks()
  const places = [tmpdir(), stateFolderPath(), await machineFolderPath()].map((folder) => ({ folder, deep: false }))
  const inPack = pack === null ? [] : [{ folder: pack, deep: true }]
  const count = await removeTemporaries([...places, ...inPack], isHere ? run.pid : null)
  if (count > 0) yield `removed ${count} temporary ${count === 1 ? 'file or folder' : 'files and folders'}`
}
