// Writes the files, and the marked parts of files, that are derived from the sources.
//   generate.ts          writes them
//   generate.ts --check  fails if one differs from what would be written
// Every file in scripts/generators/ exports `generate`; to add one, add a file there.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'

/** A derived file: its path from the project's root and its whole text, which is formatted before it is written. */
export interface GeneratedFile {
  path: string
  text: string
}

const root = join(import.meta.dirname, '..')
const generators = join(import.meta.dirname, 'generators')

async function current(path: string): Promise<string | undefined> {
  return readFile(join(root, path), 'utf8').catch(() => undefined)
}

async function run(name: string): Promise<GeneratedFile> {
  const module: { generate(): GeneratedFile | Promise<GeneratedFile> } = await import(join(generators, name))
  const { path, text } = await module.generate()
  const config = await resolveConfig(join(root, '.prettierrc.json'))
  return { path, text: await format(text, { ...config, filepath: path }) }
}

/**
 * The text of a file with the part between `<!-- NAME:start -->` and `<!-- NAME:end -->` replaced, for tables that stand
 * in a hand-written page. Throws if the markers are not there.
 */
export async function replacePart(path: string, name: string, body: string): Promise<GeneratedFile> {
  const text = (await current(path)) ?? ''
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${path} has no part between ${start} and ${end}`)
  return { path, text: `${text.slice(0, from + start.length)}\n\n${body.trim()}\n\n${text.slice(to)}` }
}

async function main(isCheck: boolean): Promise<void> {
  const stale: string[] = []
  for (const name of (await readdir(generators)).toSorted()) {
    const { path, text } = await run(name)
    if ((await current(path)) === text) continue
    stale.push(path)
    if (isCheck) continue
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    process.stderr.write(`wrote ${path}\n`)
  }
  if (!isCheck || stale.length === 0) return
  process.stderr.write(`error: not what the sources say: ${stale.join(', ')}\nhint: npm run generate\n`)
  process.exitCode = 1
}

// Not awaited: a generator that imports this file would wait for it, and it for the generator.
if (import.meta.main) void main(process.argv.includes('--check'))
