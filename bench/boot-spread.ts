// How well the boot-to-boot spread of the capacity is recovered from sweeps, by virtual time:
// node bench/boot-spread.ts [--sweeps 60] [--spreads 0.5,1,2] [--seed 1]
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { drawBootSpeed, mixSeed } from '../fixtures/engine/model/seeded-random.ts'
import type { BootSpread, SpreadPoint } from '../src/core/capacity/boot-spread.ts'
import { bootSpreadOf } from '../src/core/capacity/boot-spread.ts'
import { openMilliRps } from '../src/core/capacity/by-rate.ts'
import { LeanRun } from './decisions/lean-run.ts'
import type { SweptState } from './decisions/lean-run.ts'
import { ASSUMED_PASS_MILLI_RPS, CAPACITY_PER_SPEED, experimentsOf, revision } from './decisions/study.ts'

const { values } = parseArgs({
  options: {
    sweeps: { type: 'string', default: '60' },
    spreads: { type: 'string', default: '0.5,1,2' },
    seed: { type: 'string', default: '1' },
  },
})
const [sweeps, seed] = [Number(values.sweeps), Number(values.seed)]

interface Measured {
  spread: BootSpread
  /** The capacities, relative to the revision's own, that the boots at the pass rate were drawn with. */
  drawn: number[]
}

function measured(study: number, capacitySpread: number): Measured {
  const subject = revision(study, capacitySpread, 1)
  const run = new LeanRun({ subject, assumedPassMilliRps: ASSUMED_PASS_MILLI_RPS })
  const { bracket, points } = run.sweep(experimentsOf(study).cold)
  const here = points.filter(({ point }) => openMilliRps(point) === bracket.pass)
  const boots = [...new Set(here.map(({ point }) => Number(point.deployId.replace('boot-', ''))))]
  const speedSpread = subject.noise.bootSpread
  const drawn = boots.map((boot) => 1 + CAPACITY_PER_SPEED * (drawBootSpeed(mixSeed(study, boot), speedSpread) - 1))
  return { spread: bootSpreadOf(reportsOf(points), bracket.pass), drawn }
}

/** What was run, without the rates that were assumed to pass. */
function reportsOf(points: SweptState['points']): SpreadPoint[] {
  return points
    .map(({ point }) => point as unknown as SpreadPoint)
    .filter(({ slo }) => (slo.classes as unknown) !== undefined)
}

/** Standard deviation over groups of values, each by its own mean. */
function pooled(groups: readonly { freedom: number; variance: number }[]): number {
  const freedom = groups.reduce((sum, group) => sum + group.freedom, 0)
  return Math.sqrt(groups.reduce((sum, group) => sum + group.freedom * group.variance, 0) / freedom)
}

function varianceOf(numbers: readonly number[]): number {
  const middle = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  return numbers.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (numbers.length - 1)
}

const percent = (share: number) => `${(100 * share).toFixed(2)} %`
process.stdout.write(`worked example, cold, n = ${sweeps} sweeps a line, seed ${seed}\n\n`)
const rows = values.spreads.split(',').map((text) => {
  const capacitySpread = Number(text) / 100
  const all = Array.from({ length: sweeps }, (_, index) => measured(mixSeed(seed, index), capacitySpread))
  const found = all.flatMap(({ spread, drawn }) => (spread.share === null ? [] : [{ ...spread, drawn }]))
  const each = found.map(({ share }) => share).toSorted((a, b) => a - b)
  const at = (quantile: number) => each[Math.floor(quantile * (each.length - 1))] ?? Number.NaN
  return [
    percent(capacitySpread),
    percent(pooled(found.map(({ drawn }) => ({ freedom: drawn.length - 1, variance: varianceOf(drawn) })))),
    percent(pooled(found.map(({ share, boots }) => ({ freedom: boots - 1, variance: share ** 2 })))),
    String(found.reduce((sum, { boots }) => sum + boots, 0)),
    `${percent(at(0.1))} – ${percent(at(0.9))}`,
    String(sweeps - found.length),
  ]
})
const header = ['spread', 'of the boots drawn', 'recovered, pooled', 'boots', 'of one sweep, p10 – p90', 'no answer']
process.stdout.write(`${markdownTable([header, ...rows], { align: header.map(() => 'r') })}\n`)
