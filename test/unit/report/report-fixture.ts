import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import type { ReportInput } from '../../../src/core/report/context.ts'
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

export function input(candidate: CapacityRecord, base: CapacityRecord | null = baseline()): ReportInput {
  const verdict = gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'record' })
  return { verdict, record: candidate, baseline: base, anchor: null, context: CONTEXT }
}

const lost = (): CapacityRecord =>
  record([
    result('confirm', boots('cold', GUARD.cold, 'pass')),
    result('confirm', [
      ...boots('warm', GUARD.warm, 'fail', 'pass', 'fail'),
      point({ cache: 'warm', milliRps: 27_000, deployId: 'warm-boot-4' }),
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

/** One report of each kind that a user meets. */
export const CASES: Record<string, () => ReportInput> = {
  held: () => input(heldCandidate()),
  improved: () => input(record([sweep('cold', [24_000, 26_000], [26_500]), sweep('warm', [30_000, 33_000], [33_600])])),
  'regressed-warm': () => input(lost()),
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
