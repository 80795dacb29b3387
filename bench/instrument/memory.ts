import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Memory {
  /** Held by the process. */
  rssMiB: number
  /** Of objects; the live ones alone after a collection. Buffers, such as bodies that are made ahead, are outside of it. */
  heapMiB: number
}

const MIB = 1024 * 1024

export function memoryNow(): Memory {
  const { rss, heapUsed } = process.memoryUsage()
  return { rssMiB: rss / MIB, heapMiB: heapUsed / MIB }
}

/** Collects garbage, whether or not Node was started with the flag for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
