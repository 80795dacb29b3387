// The load generator's figures as one Markdown table, each benchmark in a process of its own: the table of docs/instrument.md:
// `npm run bench -- instrument [--seconds 8] [--rounds 5] [--write]`, about a quarter of an hour; `--write` puts it into that page.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs, promisify } from 'node:util'
import type { Figure } from './instrument/figure.ts'
import { figureTable, progress } from './instrument/figure.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const PAGE = join(import.meta.dirname, '../docs/instrument.md')
const [START, END] = ['<!-- figures:start -->', '<!-- figures:end -->']
const benchmarks: readonly (readonly [name: string, ...args: string[]])[] = [
  ['paced', '--seconds', values.seconds, '--rounds', values.rounds],
  ['flood', '--rounds', values.rounds],
  ['streams'],
  ['soak'],
  ['stall'],
]

async function figuresOf(name: string, args: readonly string[]): Promise<Figure[]> {
  progress(`== ${name}`)
  const command = [join(import.meta.dirname, `${name}.ts`), ...args, '--json']
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code === 0) return JSON.parse(output) as Figure[]
  process.exitCode = 1
  return [{ what: name, ours: 'failed', reference: null, compared: '', goal: '', isMet: false }]
}

async function revision(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['describe', '--always', '--dirty'], {
      cwd: import.meta.dirname,
    })
    return stdout.trim()
  } catch {
    return 'unknown'
  }
}

const load = loadavg()[0] ?? Number.NaN
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, Linux ${release()}, Node ${process.versions.node}`
const figures: Figure[] = []
for (const [name, ...args] of benchmarks) figures.push(...(await figuresOf(name, args)))
const table =
  `${machine}; revision ${await revision()}; ${new Date().toISOString().slice(0, 10)}; ` +
  `load average ${load.toFixed(2)} before the start; median (range) of ${values.rounds} rounds.\n\n${figureTable(figures)}\n`
process.stdout.write(table)
if (values.write) {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the figures`)
  writeFileSync(PAGE, `${before}${START}\n\n${table}\n${END}${after}`)
}
