import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/capacity-gate-bench')
const compiler = process.env['CC'] ?? 'cc'
const FLAGS = ['-O2', '-Wall', '-Wextra']

type Name = 'truth-server' | 'floor'

const programs = new Map<Name, Promise<string | null>>()

/**
 * The program of `NAME.c` beside this file, compiled at its first use by `$CC` or `cc`, kept by the digest of all C sources. Null where
 * it cannot be compiled: no compiler, or no Linux. Why is said once on standard error.
 */
export function nativeProgram(name: Name): Promise<string | null> {
  const found = programs.get(name) ?? compile(name)
  programs.set(name, found)
  return found
}

async function compile(name: Name): Promise<string | null> {
  const program = join(CACHE, `${name}-${sourceDigest()}`)
  if (existsSync(program) && process.env['CC'] === undefined) return program
  mkdirSync(CACHE, { recursive: true })
  const fresh = `${program}.${process.pid}`
  try {
    await promisify(execFile)(compiler, [...FLAGS, '-o', fresh, join(import.meta.dirname, `${name}.c`)])
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n')
    process.stderr.write(`bench: ${name}.c could not be compiled (${why})\n`)
    return null
  }
  renameSync(fresh, program)
  return program
}

function sourceDigest(): string {
  const hash = createHash('sha256').update(FLAGS.join(' '))
  const sources = readdirSync(import.meta.dirname).filter((file) => /\.[ch]$/.test(file))
  for (const file of sources.toSorted()) hash.update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 16)
}
