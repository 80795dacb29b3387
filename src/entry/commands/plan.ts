import { InvalidArgumentError } from 'commander'
import { openStore } from '../../adapters/store/open-store.ts'
import { acceptedRun, measuredRun } from '../../app/plan.ts'
import { milliRps } from '../../core/capacity/guard-rate.ts'
import { planReplicas, replicaTable } from '../../core/capacity/replicas.ts'
import type { MeasuredCapacity } from '../../core/capacity/replicas.ts'
import { planBasis } from '../../core/gate/plan-basis.ts'
import type { MeasuredRun } from '../../core/gate/plan-basis.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { parseDecimal } from '../../core/record/decimal.ts'
import { quoted } from '../../core/record/refusal.ts'
import { needingMost, planText } from '../../core/report/capacity-plan.ts'
import type { PlanSource, StatePlan } from '../../core/report/capacity-plan.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example, exactRate, wholeNumber, wholeNumberOrZero } from '../command.ts'
import { readRunRecord, verdictBeside } from '../read-inputs.ts'
import { clonedRepository } from '../repository-access.ts'
import { usage } from '../usage.ts'
import { cacheOption, priceOption } from './run-options.ts'

interface Options {
  from?: string
  gate?: string
  cache: Cache[]
  capacityRps?: number
  replicas?: number
  gpusPerReplica?: number
  peakRps: number
  utilization: number
  replicasNow?: number
  pricePerGpuHour?: number
  peaks?: number[]
  utilizations?: number[]
}

const BY_HAND = ['capacityRps', 'replicas', 'gpusPerReplica'] as const

export const addPlan: AddCommand = (program, desk) => {
  program
    .command('plan')
    .description('Replicas and GPUs for a peak, from a measured capacity: an estimate.')
    .option('--from <place>', 'a run’s pack, its capacity.json, or the baseline in branch:NAME, dir:PATH or file:PATH')
    .option('--gate <id>', 'whose baseline, of a branch or a folder: gate.id of its manifest')
    .addOption(cacheOption())
    .option(
      '--capacity-rps <c>',
      'instead of --from: the measured SLO-compliant capacity, requests a second',
      exactRate,
    )
    .option('--replicas <n>', 'with how many replicas that was measured', wholeNumber)
    .option('--gpus-per-replica <g>', 'GPUs of one replica then', wholeNumberOrZero)
    .requiredOption('--peak-rps <p>', 'the peak that is to be carried, requests a second', exactRate)
    .requiredOption('--utilization <u>', 'the share of the capacity that may be used at the peak', share)
    .option('--replicas-now <n>', 'how many replicas run today (default: as many as were measured)', wholeNumber)
    .addOption(priceOption())
    .option('--peaks <list>', 'the table’s peaks (default: 0.5 to 2 times --peak-rps)', listOf(exactRate))
    .option('--utilizations <list>', 'the table’s shares (default: 0.6 to 0.9)', listOf(share))
    .addHelpText(
      'after',
      example(
        'capacity-gate plan --from inference-capacity-pack --peak-rps 36 --utilization 0.75 --price-per-gpu-hour 2.5',
        'capacity-gate plan --capacity-rps 24 --replicas 4 --gpus-per-replica 2 --peak-rps 36 --utilization 0.75',
      ),
    )
    .action((options: Options) => planCommand(desk, options))
}

async function planCommand(desk: Desk, options: Options): Promise<void> {
  const { figures, source } = options.from === undefined ? byHand(options) : await measuredAt(desk, options)
  const asked = {
    peakMilliRps: milliRps(options.peakRps),
    utilizationMillionths: millionths(options.utilization),
    pricePerGpuHour: options.pricePerGpuHour ?? null,
  }
  const states = figures.map(({ cache, measured }): StatePlan => {
    const now = options.replicasNow === undefined ? {} : { replicasNow: options.replicasNow }
    const plan = planReplicas({ ...measured, ...asked, ...now })
    return { cache, measured, plan, table: replicaTable(measured, sharesOf(options), peaksOf(options)) }
  })
  const report = { ...asked, source, states }
  const json = { ...needingMost(states).plan, source, states }
  desk.finish({ exitCode: EXIT.ok, text: planText(report), json })
}

interface Figures {
  figures: { cache: Cache | null; measured: MeasuredCapacity }[]
  source: PlanSource | null
}

function byHand({ capacityRps, replicas, gpusPerReplica }: Options): Figures {
  if (capacityRps === undefined || replicas === undefined || gpusPerReplica === undefined) {
    throw usage(
      'no capacity is given',
      'name what was measured with --from, or give --capacity-rps, --replicas and --gpus-per-replica',
    )
  }
  const measured = { capacityMilliRps: milliRps(capacityRps), replicas, gpusPerReplica }
  return { figures: [{ cache: null, measured }], source: null }
}

/** A replica's figure comes with the placement that it was measured on, and is not put together with another. */
async function measuredAt(desk: Desk, options: Options): Promise<Figures> {
  const { from = '', gate, cache } = options
  if (BY_HAND.some((name) => options[name] !== undefined)) {
    throw usage(
      '--from brings the capacity with its replicas and GPUs, and they were given as well',
      'leave out --capacity-rps, --replicas and --gpus-per-replica; what runs today is --replicas-now',
    )
  }
  const run = /^(branch|dir|file):/.test(from) ? await acceptedAt(desk, from, gate) : await runAt(from)
  const { states, ...basis } = planBasis(run, cache)
  return { figures: states, source: { name: nameOf(run), basis } }
}

async function acceptedAt(desk: Desk, from: string, gate: string | undefined): Promise<MeasuredRun> {
  if (gate === undefined && !from.startsWith('file:')) {
    throw usage(
      '--gate is missing: a place of baselines holds those of several gates',
      'name it as gate.id in its manifest does',
    )
  }
  return acceptedRun(await openStore(from, clonedRepository(desk.inputs)), gate ?? '')
}

async function runAt(path: string): Promise<MeasuredRun> {
  const { file, text } = await readRunRecord('the run', path)
  return measuredRun(parseCapacityRecord(text, file), await verdictBeside(file))
}

function nameOf({ record: { gateId, subject, createdAt }, verdict }: MeasuredRun): string {
  const said = verdict === 'accepted' ? 'the accepted baseline' : verdict === null ? 'no verdict' : verdict.outcome
  const parts = [gateId, `${subject.name} ${subject.version}`, createdAt.slice(0, 10)]
  return [...parts.map((part) => plainText(part, 100)), said].join(', ')
}

const TABLE_SHARES = [0.6, 0.7, 0.8, 0.9]
const TABLE_PEAKS = [0.5, 0.75, 1, 1.25, 1.5, 2]

function sharesOf({ utilizations, utilization }: Options): number[] {
  return ascending((utilizations ?? [...TABLE_SHARES, utilization]).map(millionths))
}

function peaksOf({ peaks, peakRps }: Options): number[] {
  return ascending(peaks?.map(milliRps) ?? TABLE_PEAKS.map((factor) => Math.ceil(milliRps(peakRps) * factor)))
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b)
}

function millionths(value: number): number {
  return Math.round(value * 1e6)
}

/** A share above 0 and at most 1, of at most six decimals: none is rounded. */
function share(text: string): number {
  const value = parseDecimal(text)
  const isExact = Math.abs(value * 1e6 - millionths(value)) < 1e-6
  if (value > 0 && value <= 1 && isExact) return value
  const meant = value > 1 && value <= 100 ? ` ${value} % is ${value / 100}.` : ''
  throw new InvalidArgumentError(
    `${quoted(text)} is no share above 0 and at most 1, with at most six decimals.${meant}`,
  )
}

/** Entries of a table's list at most: more are not read. */
const MOST_ENTRIES = 12

function listOf(one: (text: string) => number): (text: string) => number[] {
  return (text) => {
    const parts = text.split(',')
    if (parts.length > MOST_ENTRIES) throw new InvalidArgumentError(`more than ${MOST_ENTRIES} entries.`)
    return parts.map((part) => one(part.trim()))
  }
}
