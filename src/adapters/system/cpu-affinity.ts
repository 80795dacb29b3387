import { readFile } from 'node:fs/promises'
import { execa } from 'execa'

/** `0-2,5` → 0, 1, 2, 5. */
export function cpusIn(list: string): Set<number> {
  return new Set(
    list.split(',').flatMap((part) => {
      const [first = 0, last = first] = part.trim().split('-').map(Number)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
    }),
  )
}

/** The CPUs that this process may run on; null where the system does not tell. */
async function ownCpus(): Promise<Set<number> | null> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1]
  return list === undefined ? null : cpusIn(list)
}

/** Keeps every thread of this process, and what it starts from now on, to these CPUs. Whether that is so is read back, not assumed. */
export async function keepToCpus(list: string): Promise<'kept' | 'not kept' | 'unknown'> {
  const wanted = cpusIn(list)
  const isWithin = (own: Set<number> | null) => own !== null && [...own].every((cpu) => wanted.has(cpu))
  if (!isWithin(await ownCpus())) {
    const args = ['--all-tasks', '--pid', '--cpu-list', list, String(process.pid)]
    await execa('taskset', args, { reject: false, stdin: 'ignore', timeout: 10_000 })
  }
  const own = await ownCpus()
  if (own === null) return 'unknown'
  return isWithin(own) ? 'kept' : 'not kept'
}
