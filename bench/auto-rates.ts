// What finding the rates costs beside declared ones, by virtual time: node bench/auto-rates.ts [--sweeps 6] [--spread 1] [--seed 1]
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { LeanRun } from './decisions/lean-run.ts'
import type { SweptState } from './decisions/lean-run.ts'
import { experimentsOf, revision } from './decisions/study.ts'

const { values } = parseArgs({
  options: {
    sweeps: { type: 'string', default: '6' },
    spread: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
})
const [sweeps, seed, spread] = [Number(values.sweeps), Number(values.seed), Number(values.spread) / 100]
const KINDS = { auto: 'auto', declared: [16, 20, 24, 28] } as const

interface Swept {
  passRps: number
  minutes: number
  points: number
  explored: number
  exploredMinutes: number
}

function swept(study: number, rates: 'auto' | readonly number[]): Swept {
  const run = new LeanRun({ subject: revision(study, spread, 1), assumedPassMilliRps: 0 })
  const { bracket, points } = run.sweep(experimentsOf(study, { sweep: { rates_rps: rates } }).cold)
  const [minutes, closed] = [run.heldSeconds / 60, points.filter(isClosed)]
  const exploredMinutes = closed.length === 0 ? 0 : (closed.at(-1)?.endUs ?? 0) / 60e6 - BOOT_MINUTES
  return {
    passRps: (bracket.pass ?? 0) / 1000,
    minutes,
    points: points.length,
    explored: closed.length,
    exploredMinutes,
  }
}

/** Of the engine's first boot: it would be needed for the first rate as well. */
const BOOT_MINUTES = 5

function isClosed({ point }: SweptState['points'][number]): boolean {
  return 'closedConcurrency' in point.key.load
}

const mean = (all: readonly Swept[], of: keyof Swept) => all.reduce((sum, one) => sum + one[of], 0) / all.length
const rows = Object.entries(KINDS).map(([name, rates]) => {
  const all = Array.from({ length: sweeps }, (_, index) => swept(seed + index, rates))
  return [
    name,
    all.map(({ passRps }) => passRps).join(' '),
    mean(all, 'minutes').toFixed(0),
    mean(all, 'points').toFixed(1),
    mean(all, 'explored').toFixed(1),
    `${((100 * mean(all, 'exploredMinutes')) / mean(all, 'minutes')).toFixed(1)} %`,
  ]
})
const HEADER = ['rates', 'capacities, RPS', 'minutes', 'points', 'of them exploration', 'its share of the time']
process.stdout.write(
  `worked example, cold, n = ${sweeps} sweeps a line, boots spread by ${values.spread} %, seed ${seed}\n\n`,
)
process.stdout.write(`${markdownTable([HEADER, ...rows])}\n`)
