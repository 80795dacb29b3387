// Bundles the ends into dist/, which is committed: the action runs from a checkout of a tag, with nothing installed.
//   build.ts          writes dist/
//   build.ts --into FOLDER  writes the same into another folder, for tests
//   build.ts --check  builds into a temporary folder and compares it with dist/, byte by byte
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { OutputOptions } from 'rolldown'
import { bundledLicences } from './licenses.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** What is built: the files of one bundle share chunks. The fixture engine shares no code with what measures it. */
const bundles: Record<string, string>[] = [
  {
    action: 'src/entry/action.ts',
    post: 'src/entry/post.ts',
    cli: 'src/entry/cli.ts',
  },
  { 'null-server': 'src/entry/null-server.ts' },
  { 'fixture-engine': 'fixtures/engine/main.ts' },
]

/** What is copied as it stands: the files that `init` writes for the embedded engine. */
const copies: Record<string, string> = {
  'demo.yaml': 'fixtures/packs/demo/workload-manifest.yaml',
  'demo-candidate.yaml': 'fixtures/packs/demo/slower-prefill.yaml',
}

const output: OutputOptions = {
  format: 'esm',
  entryFileNames: '[name].js',
  // Region comments name folders of the machine that built it; licences stand in licenses.txt.
  comments: { annotation: false, jsdoc: false, legal: false },
}

async function buildInto(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const [index, entries] of bundles.entries()) {
    const present = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file))))
    for (const [name, file] of Object.entries(entries)) {
      if (!present[name]) process.stderr.write(`${file} does not exist: dist/${name}.js is left out\n`)
    }
    if (Object.keys(present).length === 0) continue
    const bundle = await rolldown({
      cwd: root,
      input: present,
      platform: 'node',
      transform: { target: 'node22' },
      experimental: { attachDebugInfo: 'none' },
      onLog(level, log) {
        throw new Error(`${level} while bundling: ${log.message}`)
      },
    })
    await bundle.write({ ...output, dir: folder, chunkFileNames: `chunk-${index}-[name].js` })
    await bundle.close()
  }
  for (const [name, file] of Object.entries(copies)) await copyFile(join(root, file), join(folder, name))
  await makeExecutable(join(folder, 'cli.js'))
  await writeFile(join(folder, 'licenses.txt'), await bundledLicences())
}

async function makeExecutable(file: string): Promise<void> {
  if (!existsSync(file)) return
  const text = await readFile(file, 'utf8')
  const body = text.replace(/^#!.*\n/, '')
  await writeFile(file, `#!/usr/bin/env node\n${body}`)
  await chmod(file, 0o755)
}

async function filesIn(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const entries = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : []
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const isExecutable = ((await stat(path)).mode & 0o100) !== 0
    files.set(path.slice(folder.length + 1), `${isExecutable} ${await readFile(path, 'base64')}`)
  }
  return files
}

async function check(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'capacity-gate-dist-'))
  try {
    await buildInto(folder)
    const [expected, actual] = [await filesIn(folder), await filesIn(dist)]
    const names = [...new Set([...expected.keys(), ...actual.keys()])].toSorted()
    const unbuilt = bundles.flatMap(Object.keys).map((name) => `${name}.js`)
    const stale = names.filter((name) => expected.get(name) !== actual.get(name))
    stale.push(...unbuilt.filter((name) => !expected.has(name)))
    if (stale.length === 0) return
    process.stderr.write(`error: dist/ is not what the sources build: ${stale.join(', ')}\nhint: npm run build\n`)
    process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const into = process.argv.indexOf('--into')
if (process.argv.includes('--check')) await check()
else await buildInto(into < 0 ? dist : (process.argv[into + 1] ?? dist))
