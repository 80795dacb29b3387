import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discrepanciesOf, gateFolder } from '../e2e/run/gate-run.ts'
import { vllmManifest } from './vllm-manifest.ts'
import type { VllmOptions } from './vllm-manifest.ts'
import { coreOf, evidenceOf, inEachPoint, lastPoint, left, printed, requestsOf, serverOf } from './vllm-run.ts'

const gate = gateFolder()
const { folder } = gate
/** Many errors end no point early: what became of each request is to be seen. */
const LENIENT = { error_rate_max: 0.9, class_error_rate_max: 0.9 }
const COLD_POINT = ['--plan', 'sweep', '--on-missing-baseline', 'record', '--cache', 'cold']

/** One cold point at so many requests a second; `middle` is called in the middle of it. */
async function pointOf(name: string, rps: number, options: VllmOptions, middle = (_port: number): void => {}) {
  const { path, port } = await vllmManifest(folder, { load: 'answers', sweep: { rates_rps: [rps] }, ...options })
  const running = gate.run(name, path, ...COLD_POINT)
  const pids = await inEachPoint(running, join(folder, name), port, middle)
  const run = await running
  printed(name, path, run)
  expect(await discrepanciesOf(run.pack)).toEqual([])
  const point = lastPoint(run)
  const requests = requestsOf(run.pack, point)
  const codes = Object.groupBy(requests, ({ status, error_code: code }) => `${status} ${code}`.trim())
  const counted = Object.entries(codes).map(([code, rows]) => `${rows?.length} ${code}`)
  process.stdout.write(`  ${counted.join(', ')}\n`)
  return { point, requests, left: await left(port, pids) }
}

const count = (requests: readonly Record<string, string>[], wanted: Record<string, string>) =>
  requests.filter((row) => Object.entries(wanted).every(([column, value]) => row[column] === value)).length

describe('vLLM that', () => {
  it('is asked for more than it queues refuses by 503, or in a 200: both are rejected', async () => {
    // Once the queue is seen to be full all are refused by 503: it must be empty when each burst comes, and the burst come at once.
    const client = { arrival_pattern: 'burst', burst: { height: 100, width_share: 0.008, period_requests: 16 } }
    const args = ['--max-num-queued-reqs', '2']
    const {
      point,
      requests,
      left: remains,
    } = await pointOf('overload', 5, { sequences: 2, args, client, acceptance: LENIENT })
    expect(point.outcome).not.toBe('pass')
    const [byStatus, inStream] = ['503', '200'].map((status) =>
      count(requests, { status: 'rejected', http_status: status }),
    )
    process.stdout.write(`  refused by 503: ${byStatus}; in a 200: ${inStream}\n`)
    expect(byStatus).toBeGreaterThan(0)
    expect(inStream).toBeGreaterThan(0)
    expect(evidenceOf(point, 'stability.admission_rejections')?.value).toBeGreaterThan(0)
    expect(remains).toEqual([])
  })

  it('loses its server fails the point; core and workers, which live on, are removed', async () => {
    const killed = await pointOf('server-killed', 5, {}, (port) => process.kill(serverOf(port), 'SIGKILL'))
    expect(killed.point.outcome).toBe('fail')
    expect(killed.point.reasons.map(({ code }) => code)).toContain('exit')
    expect(killed.left).toEqual([])
  })

  it('falls silent in the middle of its streams has them ended by our own time-outs', async () => {
    const client = { stall_timeout_seconds: 3 }
    const silent = await pointOf('silent', 5, { client, acceptance: LENIENT }, (port) =>
      process.kill(coreOf(port), 'SIGSTOP'),
    )
    expect(silent.point.outcome).toBe('fail')
    expect(count(silent.requests, { error_code: 'stall_deadline' })).toBeGreaterThan(0)
    expect(silent.left).toEqual([])
  })

  it('is told to stop aborts its streams or leaves them silent for minutes: either way they end in time', async () => {
    const client = { stall_timeout_seconds: 3 }
    const stopped = await pointOf('server-stopped', 5, { client, acceptance: LENIENT }, (port) =>
      process.kill(serverOf(port), 'SIGTERM'),
    )
    expect(stopped.point.outcome).toBe('fail')
    const ends = new Set(['engine_abort', 'done_without_finish', 'stall_deadline'])
    expect(stopped.requests.filter(({ error_code: code = '' }) => ends.has(code)).length).toBeGreaterThan(0)
    expect(stopped.left).toEqual([])
  })

  it('has requests left by plan frees them', async () => {
    const cancelled = await pointOf('cancelled', 5, {
      client: { cancellation: { share: 0.3, after_tokens: 5 } },
      acceptance: { planned_cancellations: 'excluded', min_successful_samples_per_class: 30 },
    })
    expect(cancelled.point.outcome).toBe('pass')
    expect(count(cancelled.requests, { status: 'cancelled' })).toBeGreaterThan(20)
    expect(evidenceOf(cancelled.point, 'stability.freed')?.state).toBe('pass')
    expect(cancelled.left).toEqual([])
  })

  it('is left at our deadlines frees what it still ran', async () => {
    const late = await pointOf('late', 24, { sequences: 1 })
    expect(late.point.outcome).toBe('fail')
    expect(count(late.requests, { status: 'timeout' })).toBeGreaterThan(20)
    expect(evidenceOf(late.point, 'stability.freed')?.state).toBe('pass')
    expect(late.left).toEqual([])
  })
})

describe('another vLLM than declared', () => {
  it('by its version is invalid, and is sent no load', async () => {
    const { path, port } = await vllmManifest(folder, { engine: { version: '0.31.0' }, sweep: { rates_rps: [8] } })
    const run = await gate.run('version', path, ...COLD_POINT)
    expect([run.code, run.verdict().outcome]).toEqual([4, 'invalid'])
    expect(evidenceOf(lastPoint(run), 'identity.version')).toMatchObject({ state: 'fail', blames: 'host' })
    expect(await left(port, [])).toEqual([])
  })

  it('by its weights is refused before anything is started', async () => {
    const revision = `sha256:${'0'.repeat(64)}`
    const { path } = await vllmManifest(folder, { model: { revision }, sweep: { rates_rps: [8] } })
    const run = await gate.run('weights', path, ...COLD_POINT)
    expect([run.code, run.stdout]).toEqual([4, ''])
    expect(run.stderr).toMatch(/(?:^|\n)error: the weights are not the declared ones: .*\nhint: .+\n$/)
  })

  it('by a flag that it does not know fails at its start, with its last words', async () => {
    const options: VllmOptions = { args: ['--no-such-flag'], sweep: { rates_rps: [8] } }
    const { path, port } = await vllmManifest(folder, options)
    const run = await gate.run('flag', path, ...COLD_POINT)
    const texts = run.points().flatMap(({ reasons }) => reasons.map(({ text }) => text))
    expect(texts.join('\n')).toMatch(/before it was ready; its last lines: .*no-such-flag/)
    expect(await left(port, [])).toEqual([])
  })
})
