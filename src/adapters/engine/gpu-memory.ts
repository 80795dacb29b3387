import { setTimeout as delay } from 'node:timers/promises'
import { GateError } from '../../core/kernel/errors.ts'
import { commandOutput } from '../system/command.ts'
import type { LaunchPlan } from './launch-plan.ts'

/** MiB in use by GPU UUID; null where nvidia-smi is missing or tells nothing. */
export type GpuMemory = () => Promise<ReadonlyMap<string, number> | null>

/** What the driver itself keeps may differ by so much from one moment to the next. */
const SLACK_MIB = 64
const POLL_MS = 500

const ROW = /^\s*(GPU-[0-9a-fA-F-]+)\s*,\s*(\d+)\s*$/

async function usedMemory(): Promise<ReadonlyMap<string, number> | null> {
  const table = await commandOutput('nvidia-smi', ['--query-gpu=uuid,memory.used', '--format=csv,noheader,nounits'])
  if (table === null) return null
  return new Map(
    table.split('\n').flatMap((line) => {
      const [, uuid, mib] = ROW.exec(line) ?? []
      return uuid === undefined ? [] : [[uuid, Number(mib)] as const]
    }),
  )
}

export interface MemoryFloor {
  /**
   * Waits until no GPU of the deployment holds more than before it; what the signal's abort cuts short. Throws GateError
   * `gpu_memory_not_freed` with those that do at the deadline. Nothing is waited for where the memory cannot be read.
   */
  regained(signal: AbortSignal): Promise<void>
}

/** The memory in use on a plan's GPUs right now: what it must come back to once the engine is gone. */
export async function memoryFloor(
  plan: LaunchPlan,
  timeoutMs: number,
  read: GpuMemory = usedMemory,
): Promise<MemoryFloor> {
  const uuids = plan.replicas.flatMap(({ gpus }) => gpus)
  const before = uuids.length > 0 ? await read() : null
  return {
    async regained(signal) {
      const deadlineMs = performance.now() + timeoutMs
      while (before !== null && !signal.aborted) {
        const now = await read()
        const held = uuids.flatMap((uuid) => {
          const [used, floor] = [now?.get(uuid), before.get(uuid)]
          return used !== undefined && floor !== undefined && used > floor + SLACK_MIB ? [{ uuid, used, floor }] : []
        })
        if (held.length === 0) return
        if (performance.now() >= deadlineMs) throw notFreed(held, timeoutMs)
        await delay(POLL_MS)
      }
    },
  }
}

function notFreed(held: readonly { uuid: string; used: number; floor: number }[], timeoutMs: number): GateError {
  const shown = held.map(({ uuid, used, floor }) => `${uuid} holds ${used} MiB, ${floor} before`).join('; ')
  return new GateError({
    code: 'gpu_memory_not_freed',
    message: `${timeoutMs / 1000} s after the engine was removed its GPUs' memory is not free: ${shown}`,
    hint: 'see who holds it with nvidia-smi; raise engine.deploy.gpu_free_timeout_seconds if it only needs longer',
  })
}
