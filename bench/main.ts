// Runs the benchmarks, each in a process of its own: `npm run bench`, or `npm run bench -- NAME [ARGUMENT …]` for one.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** In the order in which they run; each is bench/NAME.ts and prints its figures to standard output. */
const benchmarks = [
  'engine',
  'schedule',
  'trace',
  'stream',
  'analyzer',
  'queue-trend',
  'instrument',
  'decisions',
  'boot-spread',
  'auto-rates',
  'drift',
]
/** Parts of `instrument`, and what needs other tools: run by name only. */
const byName = [
  'paced',
  'send-lag',
  'client-error',
  'client-cpu',
  'flood',
  'streams',
  'soak',
  'stall',
  'peers',
  'racing-posters',
  'racing-drifts',
  'history-writers',
  'report-page',
]

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && ![...benchmarks, ...byName].includes(name)) {
  process.stderr.write(`error: no benchmark ${name}\nhint: one of ${[...benchmarks, ...byName].join(', ')}\n`)
  process.exit(64)
}
for (const benchmark of name === undefined ? benchmarks : [name]) {
  process.stdout.write(`\n== ${benchmark}\n`)
  const end = spawnSync(process.execPath, [join(import.meta.dirname, `${benchmark}.ts`), ...args], { stdio: 'inherit' })
  if (end.status !== 0) process.exitCode = 1
}
