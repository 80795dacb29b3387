// Makes everything that a release consists of, and publishes nothing:
//   release.ts --into FOLDER [--tag vX.Y.Z] [--repository https://…]
// FOLDER, which must be empty, gets the npm package, dist/, a bill of materials (CycloneDX), the notes and SHA256SUMS. Standard output says, in
// the form of a step's outputs, which moving names the release takes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './release/bill-of-materials.ts'
import { layOutPackage } from './release/npm-package.ts'
import { movedNames, notesOf } from './release/version.ts'

const root = join(import.meta.dirname, '..')
const output = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })

async function packageInto(into: string, repository: string | null): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'capacity-gate-package-'))
  try {
    await layOutPackage(root, folder, repository)
    const flags = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', into]
    // A list from npm 6 on, an object by name from npm 12 on.
    const [packed] = Object.values(JSON.parse(output('npm', ['pack', folder, ...flags])) as object)
    return (packed as { filename: string }).filename
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In the form of `sha256sum`, which the attestation takes its subjects from. */
function checksums(into: string, files: readonly string[]): string {
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(into, file)))
      .digest('hex')
  return files.map((file) => `${digest(file)}  ${file}\n`).join('')
}

async function main(): Promise<void> {
  const options = { into: { type: 'string' }, tag: { type: 'string' }, repository: { type: 'string' } } as const
  const { into, tag, repository } = parseArgs({ options }).values
  if (into === undefined) throw new Error('release.ts --into FOLDER [--tag vX.Y.Z] [--repository https://…]')
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
  if (name === undefined || version === undefined) throw new Error('package.json has no name or no version')
  mkdirSync(into, { recursive: true })
  if (readdirSync(into).length > 0) throw new Error(`${into} is not empty: what lies there would be released too`)
  if (tag !== undefined) {
    if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and the version in package.json ${version}`)
    writeFileSync(join(into, 'notes.md'), notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version))
  }
  const moved = movedNames(version, output('git', ['tag', '--list', 'v*']).split('\n'))
  cpSync(join(root, 'dist'), join(into, 'dist'), { recursive: true })
  const tarball = await packageInto(into, repository ?? null)
  const bill = 'bill-of-materials.cdx.json'
  writeFileSync(join(into, bill), await billOfMaterials(root))
  const built = readdirSync(join(into, 'dist')).map((file) => `dist/${file}`)
  writeFileSync(join(into, 'SHA256SUMS'), checksums(into, [tarball, bill, ...built.toSorted()]))
  process.stdout.write(`tarball=${tarball}\nmoves-major-tag=${moved.majorTag}\nis-latest=${moved.latest}\n`)
}

await main()
