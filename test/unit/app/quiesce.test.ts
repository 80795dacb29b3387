import { expect, test } from 'vitest'
import { quiesce } from '../../../src/app/point/quiesce.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import { fakeMetrics } from '../../fakes/metrics.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import type { FakeAnswer } from '../../fakes/fake-answer.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const manifest = smallExample()
const dialect = dialectFor(manifest)
const signal = new AbortController().signal

interface Seen {
  evidence: Evidence
  /** Microseconds that it took. */
  tookUs: number
}

/** `exitAfterUs`: the deployment's exit is noticed that long after the request failed; null never. */
async function quiesced(answer: FakeAnswer, running: number, exitAfterUs: number | null = null): Promise<Seen> {
  const clock = fakeClock({ mode: 'auto' })
  const read = () => ({ 'vllm:num_requests_running': running, 'vllm:num_requests_waiting': 0 })
  const effects = {
    ...virtualWorld({ subject: smallSubject() }).effects,
    clock,
    replay: fakeReplay({ clock, answer: () => answer }),
    metrics: fakeMetrics({ clock, read }),
  }
  const order = { manifest, dialect, deployId: 'cold-boot-1', log: { write() {} } }
  await using deployment = await fakeDeployer().deploy(order, signal)
  const header = { cache: 'cold' } as never
  const startUs = clock.nowUs()
  const exit = { clockUs: 0, replica: 0, kind: 'exit', blames: 'engine', text: 'exit code 134' } as const
  const events = () => (exitAfterUs !== null && clock.nowUs() - startUs >= exitAfterUs ? [exit] : [])
  const evidence = await quiesce(effects, { ...deployment, events }, { manifest, dialect, header, epoch: 1 }, signal)
  return { evidence, tookUs: clock.nowUs() - startUs }
}

test.each([
  ['answers and idles', {}, 0, 'pass', false],
  ['is still busy: told, and the next point boots anew', {}, 3, 'fail', false],
  ['is gone: it died or hung at the very end', { status: 'error', errorCode: 'connect_failed' }, 0, 'fail', true],
  ['refuses: it is busy with what was left', { status: 'rejected', errorCode: 'http_status' }, 0, 'fail', false],
  ['could not be asked by the client', { status: 'error', errorCode: 'client_resource' }, 0, 'fail', false],
] as const)('after the drain an engine that %s', async (_, answer, running, state, required) => {
  expect((await quiesced(answer, running)).evidence).toMatchObject({
    probe: 'stability.quiesce',
    state,
    required,
    blames: 'engine',
  })
})

test('an engine that is gone is given a moment for its exit to be noticed, and no longer', async () => {
  const gone = { status: 'error', errorCode: 'connect_failed' } as const
  const noticed = await quiesced(gone, 0, 700_000)
  expect(noticed.tookUs).toBeGreaterThanOrEqual(700_000)
  expect(noticed.tookUs).toBeLessThan(1_000_000)
  expect((await quiesced(gone, 0)).tookUs).toBeLessThan(6_000_000)
})
