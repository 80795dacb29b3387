import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the tiny model there, and tells its digest as `sha256sum * | sha256sum` would: the files' lines in the order of their names. */
export function makeTinyModel(python: string, folder: string): string {
  const made = spawnSync(python, [join(import.meta.dirname, 'tiny_model.py'), folder], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`the tiny model cannot be made:\n${made.stderr}`)
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
  const lines = readdirSync(folder)
    .toSorted()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
  return `sha256:${sha256(lines.join(''))}`
}
