import type { MeasuredCapacity, ReplicaPlan, ReplicaTable } from '../capacity/replicas.ts'
import type { PlanBasis, Placement } from '../gate/plan-basis.ts'
import { showNumber } from '../manifest/finding.ts'
import { plainText } from './escape.ts'
import { milliRps, NONE, plainNumber, plural, rps } from './numbers.ts'
import { columns, table } from './table.ts'

/** One cache state's plan; the cache is null where the capacity was given by hand. */
export interface StatePlan {
  cache: 'cold' | 'warm' | null
  measured: MeasuredCapacity
  plan: ReplicaPlan
  table: ReplicaTable
}

/** What a plan rests on: a record, or null for numbers that were given by hand. */
export interface PlanSource {
  /** For people: whose record, and of when. From outside. */
  name: string
  basis: Pick<PlanBasis, 'placement' | 'missing' | 'warnings'>
}

export interface PlanReport {
  peakMilliRps: number
  utilizationMillionths: number
  pricePerGpuHour: number | null
  source: PlanSource | null
  /** At least one. */
  states: readonly StatePlan[]
}

/** Hours of a month: 365 days by 24 by a twelfth. */
const HOURS_A_MONTH = 730
const WARNING_MAX = 400

/** The state that needs the most replicas: the first of several. */
export function needingMost(states: readonly StatePlan[]): StatePlan {
  const [first, ...rest] = states
  if (first === undefined) throw new Error('a plan has at least one state')
  return rest.reduce((most, one) => (one.plan.requiredReplicas > most.plan.requiredReplicas ? one : most), first)
}

/** The plan for a terminal, as Markdown that can be put into a page as it is. */
export function planText(report: PlanReport): string {
  const most = needingMost(report.states)
  const blocks = [
    headline(report, most),
    report.source === null ? '' : sourceText(report.source),
    summaryTable(report),
    sentences(report, most).join('\n'),
    ...report.states.map((state) => sizeTable(state)),
    `What this does not prove:\n\n${unproven(report, most)
      .map((text) => `- ${text}`)
      .join('\n')}`,
  ]
  return blocks.filter((block) => block !== '').join('\n\n')
}

function headline({ peakMilliRps, utilizationMillionths }: PlanReport, { cache, plan }: StatePlan): string {
  const gpus = plan.requiredGpus === 0 ? 'no GPU' : plural(plan.requiredGpus, 'GPU')
  const what = `${showNumber(plan.requiredReplicas)} ${plan.requiredReplicas === 1 ? 'replica' : 'replicas'} and ${gpus}`
  const state = cache === null ? '' : ` (${cache} cache)`
  return `ESTIMATE: ${what} for ${showNumber(peakMilliRps / 1000)} RPS at ${share(utilizationMillionths)} of the capacity${state}`
}

function sourceText({ name, basis: { placement, missing, warnings } }: PlanSource): string {
  return [
    `Measured: ${name}`,
    `On: ${placementText(placement)}`,
    ...missing.map(({ cache, why }) => `No figure for ${cache}: ${why}.`),
    ...warnings.map(({ code, text }) => `warning: ${plainText(text, WARNING_MAX)} [${plainText(code, 60)}]`),
  ].join('\n')
}

function placementText({ tp, pp, dp, replicas, gpus }: Placement): string {
  const each = gpus === 0 ? 'no GPU' : `${plural(gpus / replicas, 'GPU')} each`
  return `${plural(replicas, 'replica')} of tp ${tp} × pp ${pp} (dp ${dp}), ${each}. A replica’s figure holds for this placement alone.`
}

function summaryTable({ states, pricePerGpuHour }: PlanReport): string {
  const heads = columns('cache', 'measured RPS:', 'a replica:', 'replicas:', 'GPUs:', 'used %:', 'used % one down:')
  const costs = pricePerGpuHour === null ? [] : columns('cost an hour:', 'a month:')
  const rows = states.map(({ cache, measured, plan }) => [
    cache ?? NONE,
    milliRps(measured.capacityMilliRps),
    rps(plan.perReplicaRps),
    String(plan.requiredReplicas),
    String(plan.requiredGpus),
    usedText(plan.usedShare),
    usedText(plan.usedOneDownShare),
    ...(plan.costPerHour === null ? [] : [money(plan.costPerHour), money(plan.costPerHour * HOURS_A_MONTH)]),
  ])
  return table([...heads, ...costs], rows)
}

function sentences({ peakMilliRps, utilizationMillionths, states, pricePerGpuHour }: PlanReport, most: StatePlan) {
  const now = states.map((state) => nowText(state, peakMilliRps, share(utilizationMillionths)))
  const { plan } = most
  const costs =
    plan.costPerHour === null || plan.costPerHourNow === null
      ? []
      : [
          `The cost is at ${pricePerGpuHour} a GPU-hour and ${HOURS_A_MONTH} hours a month; today’s ${plural(plan.replicasNow, 'replica')} cost ${money(plan.costPerHourNow)} an hour.`,
        ]
  const choice =
    states.length === 1 ? [] : ['Plan for the cold state unless the cache is sure to be as warm as it was measured.']
  return [...now, ...choice, ...costs]
}

function nowText({ cache, plan }: StatePlan, peakMilliRps: number, policy: string): string {
  const state = cache === null ? '' : ` (${cache} cache)`
  const carry = plan.replicasNow === 1 ? 'carries' : 'carry'
  const short = plan.headroomRps < 0
  const gap = short
    ? `${rps(-plan.headroomRps)} short of the peak`
    : `a headroom of ${rps(plan.headroomRps)} over the peak`
  return `Today’s ${plural(plan.replicasNow, 'replica')}${state} ${carry} ${rps(plan.currentCarryRps)} RPS at ${policy}: ${gap} of ${milliRps(peakMilliRps)}, at which they would be used at ${usedText(plan.usedNowShare)} %.`
}

/** Replicas and, in brackets, GPUs. */
function sizeTable({ cache, measured, table: sizes }: StatePlan): string {
  const of = cache === null ? '' : `, ${cache}`
  const heads = columns('peak RPS:', ...sizes.utilizationMillionths.map((value) => `at ${share(value)}:`))
  const cell = (count: number | null) =>
    count === null ? 'over a million' : `${count} (${count * measured.gpusPerReplica})`
  const rows = sizes.rows.map(({ peakMilliRps, replicas }) => [milliRps(peakMilliRps), ...replicas.map(cell)])
  return `Replicas (GPUs) by peak and utilization${of}:\n\n${table(heads, rows)}`
}

/** Sentences of our own; nothing in them is from outside. */
function unproven({ source }: PlanReport, { measured, plan }: StatePlan): string[] {
  const [had, asked] = [measured.replicas, plan.requiredReplicas].map((count) => plural(count, 'replica'))
  const grown =
    had === asked
      ? `Linear scaling: measured with ${had}, as many as are needed; any other number here is reckoned.`
      : `Linear scaling: measured with ${had}, and reckoned for ${asked}. Run the gate on ${asked} before anything is bought or given back.`
  return [
    grown,
    'Load balancer and network: what spreads the requests carried the measured replicas, and may not carry more.',
    'Shared limits: replicas that share a host, a switch, a disk or a power budget slow each other.',
    'Cache locality: over more replicas a prefix is met less often by the one that holds it. A warm capacity can fall for that alone.',
    'Failures and roll-outs: a replica that is down or starting carries nothing; see the column of one down.',
    'The peak: a forecast of yours, of the measured mix, lengths and arrivals. Bursts within it were met only as far as the schedule has them.',
    source === null
      ? 'The capacity: it was given by hand. It must be a rate that passed at an open loop with every class in its cutoffs; a closed loop’s throughput is none, and another placement, engine or workload has another.'
      : 'Another placement, GPU, revision or workload: each has a capacity of its own, to be measured.',
  ]
}

function share(millionths: number): string {
  return `${plainNumber(millionths / 10_000)} %`
}

function usedText(value: number | null): string {
  return value === null ? NONE : plainNumber(Math.round(value * 1000) / 10)
}

function money(value: number): string {
  return value.toFixed(2)
}
