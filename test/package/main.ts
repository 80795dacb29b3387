// The packed package on the oldest Node that it names and on the newest: `npm run test:package [-- vitest arguments]`. Each is fetched as an npm
// package once and stays in the user's cache. The tests themselves (test/e2e/package) run on the pinned Node with the others.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageCache } from '../../scripts/python-packages.ts'

const VERSIONS = ['22.19.0', '26.12.1']
const root = join(import.meta.dirname, '../..')
const UNCONNECTED = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)\b/

const nodes: string[] = []
for (const version of VERSIONS) {
  const node = nodeOf(version)
  if (node !== null) nodes.push(node)
  else
    process.stdout.write(
      `\n!!! SKIPPED on Node ${version}: it is fetched for Linux, and only where the package registry can be reached !!!\n\n`,
    )
}
const env = { ...process.env, PACKAGE_NODES: JSON.stringify(nodes) }
const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'test/e2e/package', ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1

/** Null where there is no connection to the registry, or no package of the name: those for macOS have other names and versions. */
function nodeOf(version: string): string | null {
  if (process.platform !== 'linux') return null
  const folder = join(packageCache(), `node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  const node = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(node)) return node
  process.stdout.write(`installing Node ${version} into ${folder}\n`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', folder]
  const done = spawnSync('npm', ['install', ...flags, `${name}@${version}`], { encoding: 'utf8' })
  if (done.status === 0) return node
  if (UNCONNECTED.test(done.stderr)) return null
  throw new Error(`npm cannot install ${name}@${version}:\n${done.stderr}`)
}
