import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import type { AcceptedLoss } from '../../../src/core/gate/accepted/loss.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import type { ReportInput } from '../../../src/core/report/context.ts'
import { lossesOf } from '../gate/accepted/accepted-fixture.ts'
import {
  baseline,
  boots,
  evidence,
  experimentValue,
  GUARD,
  heldCandidate,
  point,
  record,
  result,
  sweep,
  withExperiment,
} from '../gate/record-fixture.ts'

const CONTEXT = {
  headSha: 'f'.repeat(40),
  baseSha: 'b'.repeat(40),
  runUrl: 'https://github.com/acme/inference/actions/runs/1234567890',
  repository: 'acme/inference',
  packPath: 'inference-capacity-pack',
  toolVersion: '0.1.0',
}

/** What an engine, a manifest or a machine may call itself. */
export const HOSTILE = [
  '|',
  '||--||',
  '@org/team',
  '@everyone',
  '<img src=x onerror=alert(1)>',
  '</details></table><script>',
  '<!-- capacity-gate-heads:1 [] -->',
  '[click](https://evil.example/)',
  '![](https://evil.example/x.png)',
  'https://evil.example/?q=|',
  '👩🏽‍🚀🏳️‍🌈',
  '\u{202e}txt.exe\u{200f}',
  'שלום عالم',
  '```mermaid\nxychart-beta',
  '#1 GH-2 acme/x#3',
  '😀|`<'.repeat(2500),
  'w'.repeat(10_000),
  '%%{init: {}}%%',
  '$$x$$',
  '\\|\\`',
]

export function input(
  candidate: CapacityRecord,
  base: CapacityRecord | null = baseline(),
  acceptedLosses: readonly AcceptedLoss[] = [],
): ReportInput {
  const verdict = gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'record', acceptedLosses })
  return { verdict, record: candidate, baseline: base, anchor: null, context: CONTEXT }
}

/** One class whose engine told its chunks' tokens, one that did not and has few, and one of which no gap was recorded. */
function withGaps(item: ReturnType<typeof point>): ReturnType<typeof point> {
  const { interactive, long_context: long, ...rest } = item.slo.classes
  if (interactive === undefined || long === undefined) throw new Error('no such class')
  const classes = {
    interactive: {
      ...interactive,
      itl_ms: { n: 3_942_400, p50: 21.43, p90: 30.2, p95: 34.1, p99: 118.6 },
      tokens_per_chunk: { n: 3_957_800, unknown: 0, mean: 1.0037, p50: 1, p95: 1, max: 4 },
    },
    long_context: {
      ...long,
      itl_ms: { n: 9_000, p50: 22, p90: 31.25, p95: 35, p99: null },
      tokens_per_chunk: { n: 0, unknown: 9_100, mean: null, p50: null, p95: null, max: null },
    },
    ...rest,
  }
  return { ...item, slo: { ...item.slo, classes } }
}

const lost = (...more: ReturnType<typeof point>[]): CapacityRecord =>
  record([
    result('confirm', boots('cold', GUARD.cold, 'pass')),
    result('confirm', [
      ...boots('warm', GUARD.warm, 'fail', 'pass', 'fail'),
      withGaps(point({ cache: 'warm', milliRps: 27_000, deployId: 'warm-boot-4' })),
      ...more,
    ]),
  ])

const belowMinimum = (): ReportInput => {
  const experiment = withExperiment(experimentValue({ min_capacity_rps: 20 }))
  const points = [...sweep('cold', [16_000], [18_000]).points, ...boots('cold', 20_000, 'fail', 'fail')]
  return input(record([result('sweep', points)], experiment), null)
}

/** 400 points of 63 classes with long names each: far over what a comment holds. */
function huge(): ReportInput {
  const grow = (item: ReturnType<typeof point>, index: number) => {
    const own = item.slo.classes['interactive']
    if (own === undefined) throw new Error('no such class')
    const more = Array.from({ length: 60 }, (_, each) => [
      `class_${String(each).padStart(2, '0')}_${'x'.repeat(48)}`,
      own,
    ])
    const classes = { ...item.slo.classes, ...(Object.fromEntries(more) as typeof item.slo.classes) }
    return { ...item, slo: { ...item.slo, classes }, deployId: `boot-${index}` }
  }
  const points = Array.from({ length: 400 }, (_, index) => grow(point({ milliRps: 20_000 + index * 8 }), index))
  const cold = result('sweep', [...points, point({ milliRps: 24_500, outcome: 'fail' })])
  return input(record([cold, sweep('warm', [30_000], [30_600])]))
}

/** Of the warm state that `lost` loses; what people wrote is as hostile as any text from outside. */
const acceptedWarm = (floor_rps: number, expires = '2026-12-20') =>
  lossesOf({
    cache: 'warm',
    guard_rps: 28.8,
    floor_rps,
    expires,
    reason: 'CVE-2026-1 | see #12, <b>@org/team</b>',
    accepted_by: '@ada [lead](https://evil.example)',
  })

/** One report of each kind that a user meets. */
export const CASES: Record<string, () => ReportInput> = {
  held: () => input(heldCandidate()),
  improved: () => input(record([sweep('cold', [24_000, 26_000], [26_500]), sweep('warm', [30_000, 33_000], [33_600])])),
  'regressed-warm': () => input(lost()),
  'accepted-loss': () => input(lost(), baseline(), acceptedWarm(27)),
  'accepted-loss-deeper': () => input(lost(...boots('warm', 28_000, 'fail', 'fail')), baseline(), acceptedWarm(28)),
  'accepted-loss-expired': () => input(lost(), baseline(), acceptedWarm(27, '2026-11-29')),
  'accepted-loss-not-needed': () => input(heldCandidate(), baseline(), acceptedWarm(27)),
  'inconclusive-experiment': () =>
    input(heldCandidate(withExperiment(experimentValue({ error_rate_max: 0.05, class_slo_attainment_min: 0.9 })))),
  'invalid-client': () => {
    const late = [
      evidence('client.send_lag', { state: 'fail', value: 18.4, limit: 5, unit: 'ms', text: 'P99 of send lag' }),
    ]
    const cold = boots('cold', GUARD.cold, 'invalid', 'invalid').map((item) => ({ ...item, evidence: late }))
    return input(record([result('confirm', cold), result('confirm', boots('warm', GUARD.warm, 'pass'))]))
  },
  'invalid-identity': () =>
    input(
      heldCandidate({
        identity: [
          evidence('identity.version', { state: 'fail', blames: 'engine', text: 'says 0.31.9, pinned 0.32.0' }),
        ],
      }),
    ),
  recorded: () => input(baseline(), null),
  'below-minimum': belowMinimum,
  simulated: () => input(heldCandidate({ kind: 'simulated' }), baseline({ kind: 'simulated' })),
  'huge-shrunk': huge,
}
