// What can stand in dist/, as CycloneDX. npm writes it, from a lockfile without what only builds and tests: with `--omit=dev` it leaves out
// whatever a tool happens to use as well (zod, yaml, undici), and those are shipped.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface LockedPackage {
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
}

const isShipped = (entry: LockedPackage): boolean => !(entry.dev || entry.optional || entry.devOptional)

/** The text of the bill, with every shipped package's version, licence and hash. */
export async function billOfMaterials(root: string): Promise<string> {
  const read = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8')) as Record<string, unknown>
  const { name, version, description, license, dependencies } = await read('package.json')
  const lock = await read('package-lock.json')
  const locked = lock['packages'] as Record<string, LockedPackage>
  const own = { name, version, description, license, dependencies }
  const packages = { ...Object.fromEntries(Object.entries(locked).filter(([, entry]) => isShipped(entry))), '': own }
  const scratch = await mkdtemp(join(tmpdir(), 'capacity-gate-bill-'))
  try {
    // npm calls what it describes after the folder.
    const folder = join(scratch, String(name))
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), JSON.stringify(own))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
    return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
