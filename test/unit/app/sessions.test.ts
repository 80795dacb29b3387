import { beforeAll, expect, test } from 'vitest'
import type { PointReport } from '../../../src/core/capacity/record.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'

/** The small example, its interactive class in sessions of three turns that keep to their replica, a share of all requests left. */
function sessionManifest(): Manifest {
  const small = smallExample({
    client: {
      cancellation: { share: 0.05, after_tokens: 4 },
      maximum_duration_seconds: 120,
    },
    acceptance: { planned_cancellations: 'excluded' },
    sweep: { rates_rps: [16], refine_step: 0, repeats: 1, saturation_concurrency: [4] },
  })
  const { deploy } = small.engine
  const router = { kind: 'client', policy: 'session' }
  const session = { turns: 3, concurrent: 6, think_seconds: 0.4, history: 'synthetic' }
  return manifestSchema.parse({
    ...small,
    engine: { ...small.engine, deploy: { ...deploy, router } },
    workload: small.workload.map((entry) => (entry.name === 'interactive' ? { ...entry, session } : entry)),
  })
}

let points: PointReport[]

beforeAll(async () => {
  const ran = await runVirtually({
    manifest: sessionManifest(),
    subject: smallSubject({ jitter: 0.02 }),
    plan: { bootSeconds: 2 },
    request: { caches: ['cold'] },
  })
  points = ran.record.capacity.flatMap((result) => result.points)
})

const evidenceOf = (point: PointReport | undefined, probe: string) =>
  point?.evidence.find((found) => found.probe === probe)

test('a point of sessions passes, its deferred turns no fault of the client, its cancellations none of the engine', () => {
  const point = points.find(({ key }) => 'openMilliRps' in key.load)
  expect(point?.outcome).toBe('pass')
  for (const probe of ['client.ids', 'client.rows', 'client.replicas', 'client.offered_rate', 'cache_hit.cold']) {
    expect(evidenceOf(point, probe)).toMatchObject({ state: 'pass' })
  }
  expect(evidenceOf(point, 'client.sessions')?.value).toBeGreaterThan(20)
  expect(point?.slo.status_counts).toMatchObject({ cancelled: expect.any(Number), error: 0, timeout: 0 })
  expect(point?.slo.status_counts?.cancelled).toBeGreaterThan(10)
})

test('a closed loop of sessions keeps every turn after the one before', () => {
  const point = points.find(({ key }) => 'closedConcurrency' in key.load)
  expect(evidenceOf(point, 'client.ids')).toMatchObject({ state: 'pass' })
  expect(evidenceOf(point, 'client.rows')).toMatchObject({ state: 'pass' })
})
