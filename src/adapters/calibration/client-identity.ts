import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, cpus, hostname, release } from 'node:os'
import { dirname, extname, join } from 'node:path'
import type { ClientIdentity } from '../../core/telemetry/calibration.ts'

/** Of a clone: what sends requests and reads answers, and what measures it. */
const SOURCES = [
  'adapters/replay',
  'adapters/calibration',
  'adapters/system',
  'core/dialect',
  'core/schedule',
  'core/stream',
  'core/telemetry',
]

/** The machine, the runtime, and the client's own program; `serverPath` is the null server's, which stands beside it. */
export async function clientIdentity(serverPath: string): Promise<ClientIdentity> {
  return {
    machine: await machineName(),
    cpuModel: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    kernel: release(),
    node: process.versions.node,
    clientSha256: await clientDigest(serverPath),
  }
}

/** Linux draws it at each boot, and shows it in containers too; its digest, since a pack is for others to read. */
async function machineName(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname())
  return createHash('sha256').update(boot.trim()).digest('hex').slice(0, 16)
}

/** Over the bundle's programs, or over the sources in a clone: names and bytes in order. */
async function clientDigest(serverPath: string): Promise<string> {
  const beside = dirname(serverPath)
  const folders = extname(serverPath) === '.ts' ? SOURCES.map((folder) => join(beside, '..', folder)) : [beside]
  const hash = createHash('sha256')
  for (const folder of folders) {
    const names = (await readdir(folder)).filter((name) => extname(name) === extname(serverPath)).toSorted()
    for (const name of names) hash.update(`${name}\0`).update(await readFile(join(folder, name)))
  }
  return hash.digest('hex')
}
