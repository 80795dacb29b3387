import { readdir, readFile, readlink } from 'node:fs/promises'

const LISTENING = '0A'

/**
 * For each socket of this machine that listens on a TCP port, on any address, the pids that hold it: an empty list for one whose holder this
 * user may not see. Null where the system does not tell (no /proc).
 */
export async function portListeners(port: number): Promise<number[][] | null> {
  const paths = ['/proc/net/tcp', '/proc/net/tcp6']
  const tables = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => null)))
  if (tables.every((table) => table === null)) return null
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = tables.flatMap((table) => (table ?? '').split('\n').map((line) => line.trim().split(/\s+/)))
  const listening = rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === LISTENING)
  const holders = new Map(listening.map((row) => [`socket:[${row[9] ?? ''}]`, new Set<number>()]))
  if (holders.size > 0) await findHolders(holders)
  return [...holders.values()].map((pids) => [...pids])
}

async function findHolders(holders: ReadonlyMap<string, Set<number>>): Promise<void> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const files = await readdir(`/proc/${name}/fd`).catch(() => [])
    const targets = await Promise.all(files.map((file) => readlink(`/proc/${name}/fd/${file}`).catch(() => '')))
    for (const target of targets) holders.get(target)?.add(Number(name))
  }
}
