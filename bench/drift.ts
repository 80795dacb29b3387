// False alarms and found steps of the history's change points, a night at a time:
// node bench/drift.ts [--trials 200] [--spreads 0.5,1.3,2] [--tolerance 4] [--nights 90] [--seed 1]
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import type { Change } from '../src/core/history/changes.ts'
import { findChanges } from '../src/core/history/changes.ts'
import { randomStream } from '../src/core/schedule/random.ts'
import type { RandomGenerator } from '../src/core/schedule/random.ts'
import { dayValues } from '../src/core/history/days.ts'
import { driftOf } from '../src/core/history/drift.ts'
import type { Drift } from '../src/core/history/drift.ts'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { nights as pointsOf } from '../test/unit/history/point-fixture.ts'

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '200' },
    spreads: { type: 'string', default: '0.5,1.3,2' },
    tolerance: { type: 'string', default: '4' },
    nights: { type: 'string', default: '90' },
    seed: { type: 'string', default: '1' },
  },
})
const [trials, nights, toleranceShare] = [Number(values.trials), Number(values.nights), Number(values.tolerance) / 100]

/** Nights before a planted change, and those after it that are waited for. */
const [BEFORE, AFTER] = [30, 30]
const LEVEL_MILLI_RPS = 24_000

/** Box–Muller. */
function normal(random: RandomGenerator): number {
  const unit = () => (uniformInt(random, 0, 2 ** 30 - 1) + 0.5) / 2 ** 30
  return Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit())
}

function series(label: string, spreadShare: number, levels: readonly number[]): number[] {
  const random = randomStream(`drift bench ${values.seed} ${label} ${spreadShare}`)
  return levels.map((level) => Math.round(LEVEL_MILLI_RPS * level * (1 + spreadShare * normal(random))))
}

/** What each night's look said, from the night after `from` nights on. */
function* looks(values: readonly number[], from: number): Generator<Change[]> {
  for (let night = from + 1; night <= values.length; night += 1)
    yield findChanges(values.slice(0, night), toleranceShare)
}

function share(count: number, of = trials): string {
  return `${((100 * count) / of).toFixed(1)} %`
}

function each(run: (trial: number) => boolean): string {
  return share(Array.from({ length: trials }, (_, trial) => run(trial)).filter(Boolean).length)
}

/** Nights after the step until a change of its direction was first seen within five nights of it; null where none was. */
function delay(trial: number, spreadShare: number, step: number): number | null {
  const levels = [...Array<number>(BEFORE).fill(1), ...Array<number>(AFTER).fill(1 + step)]
  let night = 0
  for (const changes of looks(series(`step ${step} ${trial}`, spreadShare, levels), BEFORE)) {
    night += 1
    if (
      changes.some(({ share: found, index }) => Math.sign(found) === Math.sign(step) && Math.abs(index - BEFORE) <= 5)
    )
      return night
  }
  return null
}

function stepCells(spreadShare: number, step: number): string[] {
  const delays = Array.from({ length: trials }, (_, trial) => delay(trial, spreadShare, step) ?? Infinity)
  const sorted = delays.toSorted((one, other) => one - other)
  const within = [2, 5, 10, AFTER].map((most) => share(delays.filter((nights) => nights <= most).length))
  return [...within, String(sorted[Math.floor((trials - 1) / 2)])]
}

/** What the issue of a drift would do, night by night, of a fall that ends after some nights: how often it is opened, and when closed; a tenth of the trials. */
function issueCells(spreadShare: number, step: number): string[] {
  const levels = [
    ...Array<number>(BEFORE).fill(1),
    ...Array<number>(AFTER).fill(1 + step),
    ...Array<number>(AFTER).fill(1),
  ]
  const runs = Array.from({ length: Math.ceil(trials / 10) }, (_, trial) => {
    const days = dayValues(pointsOf(series(`issue ${step} ${trial}`, spreadShare, levels)))
    const states = days.map((_day, night): Drift['state'] => {
      const seen = days.slice(0, night + 1)
      return driftOf(
        seen,
        findChanges(
          seen.map(({ milliRps }) => milliRps),
          toleranceShare,
        ),
        toleranceShare,
      ).state
    })
    const opened = states.filter((state, night) => state === 'drifting' && states[night - 1] !== 'drifting').length
    const closed = states.findIndex((state, night) => night >= BEFORE + AFTER && state !== 'drifting')
    return { opened, nights: closed < 0 ? Infinity : closed - BEFORE - AFTER + 1 }
  })
  const nightsOf = runs.map((run) => run.nights).toSorted((one, other) => one - other)
  return [
    share(runs.filter(({ opened }) => opened === 1).length, runs.length),
    share(runs.filter(({ opened }) => opened > 1).length, runs.length),
    String(nightsOf[Math.floor((runs.length - 1) / 2)]),
    share(nightsOf.filter((closing) => closing <= 10).length, runs.length),
  ]
}

const flat = Array<number>(nights).fill(1)
const spiked = flat.map((level, night) => (night === BEFORE ? 0.9 : level))
const alarms: string[][] = []
const steps: string[][] = []
const issues: string[][] = []
for (const percent of values.spreads.split(',')) {
  const spreadShare = Number(percent) / 100
  const ever = (label: string, levels: readonly number[], isAlarm: (changes: Change[]) => boolean) =>
    each((trial) => [...looks(series(`${label} ${trial}`, spreadShare, levels), 0)].some(isAlarm))
  alarms.push([
    `${percent} %`,
    ever('flat', flat, (changes) => changes.length > 0),
    ever('flat', flat, (changes) => changes.some(({ share: found }) => found < 0)),
    each((trial) => findChanges(series(`flat ${trial}`, spreadShare, flat), toleranceShare).length > 0),
    ever('spike', spiked, (changes) => changes.some(({ index }) => Math.abs(index - BEFORE) <= 1)),
  ])
  for (const step of [-0.03, -0.05, -0.1]) {
    const line = [`${percent} %`, `${Math.round(step * 100)} %`]
    steps.push([...line, ...stepCells(spreadShare, step)])
    issues.push([...line, ...issueCells(spreadShare, step)])
  }
}
const right = (columns: number) => ({ align: Array.from({ length: columns }, () => 'r') })
process.stdout.write(`n = ${trials} series a line, tolerance ${values.tolerance} %, seed ${values.seed}\n\n`)
process.stdout.write(
  `${markdownTable([['spread', `any change in ${nights} nightly looks`, 'of them a fall', 'in the last look', 'one spike of 10 % called a change'], ...alarms], right(5))}\n\n`,
)
process.stdout.write(
  `${markdownTable([['spread', 'step', 'seen in 2 nights', 'in 5', 'in 10', `in ${AFTER}`, 'median nights'], ...steps], right(7))}\n`,
)
process.stdout.write(
  `\n${markdownTable([['spread', 'fall', 'opened once', 'more than once', 'median nights to close after recovery', 'closed in 10'], ...issues], right(6))}\n`,
)
