import { expect, test } from 'vitest'
import { quiesce } from '../../../src/app/point/quiesce.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import { fakeMetrics } from '../../fakes/metrics.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import type { FakeAnswer } from '../../fakes/replay.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const manifest = smallExample()
const dialect = dialectFor(manifest)
const signal = new AbortController().signal

async function quiesced(answer: FakeAnswer, running: number) {
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
  return quiesce(effects, deployment, { manifest, dialect, header, epoch: 1 }, signal)
}

test.each([
  ['answers and idles', {}, 0, 'pass', false],
  ['is still busy: told, and the next point boots anew', {}, 3, 'fail', false],
  ['is gone: it died or hung at the very end', { status: 'error', errorCode: 'connect_failed' }, 0, 'fail', true],
  ['refuses: it is busy with what was left', { status: 'rejected', errorCode: 'http_status' }, 0, 'fail', false],
  ['could not be asked by the client', { status: 'error', errorCode: 'client_resource' }, 0, 'fail', false],
] as const)('after the drain an engine that %s', async (_, answer, running, state, required) => {
  expect(await quiesced(answer, running)).toMatchObject({
    probe: 'stability.quiesce',
    state,
    required,
    blames: 'engine',
  })
})
