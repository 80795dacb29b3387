// False alarms and missed losses of the decision rule, by virtual time:
// node bench/decisions.ts [--trials 1000] [--spreads 0.5,1,1.3,1.5,2] [--candidates 1] [--workers 2] [--seed 1]
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { runTrials } from './decisions/pool.ts'
import { shareText, summarize } from './decisions/summary.ts'
import type { Summary } from './decisions/summary.ts'
import type { Trial } from './decisions/trial.ts'
import { workedExample } from '../test/virtual/virtual-manifest.ts'

const HEADER = [
  'boot spread',
  'false alarms',
  'in cold',
  'in warm',
  '10 % losses missed',
  'in cold',
  'in warm',
  'inconclusive',
  'repeats',
  'GPU-minutes, sweep → confirm',
  'ratio',
]

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    spreads: { type: 'string', default: '0.5,1,1.3,1.5,2' },
    candidates: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
})
const [trials, candidates] = [Number(values.trials), Number(values.candidates)]
const [workers, seed] = [Number(values.workers), Number(values.seed)]
const { gpus } = workedExample().engine.placement

function row(percent: number, summary: Summary): string[] {
  const { falseAlarms, misses, confirmGpuMinutes, sweepGpuMinutes } = summary
  return [
    `${percent} %`,
    shareText(falseAlarms),
    shareText(falseAlarms.byState.cold),
    shareText(falseAlarms.byState.warm),
    shareText(misses),
    shareText(misses.byState.cold),
    shareText(misses.byState.warm),
    shareText(summary.inconclusive),
    summary.meanRepeats.toFixed(2),
    `${sweepGpuMinutes.toFixed(0)} → ${confirmGpuMinutes.toFixed(0)}`,
    summary.confirmOverSweep.toFixed(3),
  ]
}

process.stdout.write(
  `worked example, cold and warm, n = ${trials} baselines a line, each held to ${candidates} times, seed ${seed}; [95 % Wilson interval]\n\n`,
)
/** So that a study which is broken off has said something. */
function soFar(percent: number, ended: readonly Trial[]): string {
  const { falseAlarms, misses } = summarize(ended, gpus)
  return `${percent} %: after ${ended.length} of ${trials} false alarms ${shareText(falseAlarms)}, missed ${shareText(misses)}`
}

const rows: string[][] = []
for (const percent of values.spreads.split(',').map(Number)) {
  const startMs = performance.now()
  const ended: Trial[] = []
  const results = await runTrials({ seed, trials, candidates, capacitySpread: percent / 100, workers }, (trial) => {
    ended.push(trial)
    if (ended.length % 50 === 0) process.stderr.write(`${soFar(percent, ended)}\n`)
  })
  const summary = summarize(results, gpus)
  rows.push(row(percent, summary))
  const seconds = (performance.now() - startMs) / 1000
  const { unpromotable } = summary
  process.stderr.write(`${percent} %: ${seconds.toFixed(0)} s; ${unpromotable.count} sweeps could not be promoted\n`)
}
process.stdout.write(
  `${markdownTable([HEADER, ...rows], { align: HEADER.map((_, index) => (index === 0 ? 'l' : 'r')) })}\n`,
)
