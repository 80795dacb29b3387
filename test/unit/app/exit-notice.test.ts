import { expect, test } from 'vitest'
import { measurePoint } from '../../../src/app/point/protocol.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const manifest = smallExample()
const dialect = dialectFor(manifest)
const { schedule } = buildSchedule(manifest, 'cold')
const signal = new AbortController().signal

/** A point on an engine that does not answer; what ended it is told that long after the first request was sent, or never. */
async function unanswered(toldAfterUs: number | null) {
  const clock = fakeClock({ mode: 'auto' })
  const replay = fakeReplay({ clock, answer: () => ({ status: 'error', errorCode: 'connect_failed' }) })
  const effects = { ...virtualWorld({ subject: smallSubject() }).effects, clock, replay }
  const order = { manifest, dialect, deployId: 'cold-boot-1', log: { write() {} } }
  await using deployment = await fakeDeployer().deploy(order, signal)
  const startUs = clock.nowUs()
  const ended = {
    clockUs: 0,
    replica: 0,
    kind: 'exit',
    blames: 'host',
    text: 'replica 0 was ended with its daemon',
  } as const
  const events = () => (toldAfterUs !== null && clock.nowUs() - startUs >= toldAfterUs ? [ended] : [])
  const key = { cache: 'cold', load: { openMilliRps: 20_000 }, repeat: 1 } as const
  return measurePoint(effects, { manifest, dialect, schedule, key, deployment: { ...deployment, events } }, signal)
}

test('what ended an engine before its first request is waited for: the host’s fault is not the engine’s', async () => {
  const point = await unanswered(3_600_000)
  expect(point.outcome).toBe('invalid')
  expect(point.reasons.map(({ text }) => text).join()).toContain('ended with its daemon')
})

test('an engine that does not answer and of whose end nothing is told has failed', async () => {
  expect(await unanswered(null)).toMatchObject({ outcome: 'fail', slo: { attempted: 0 } })
})
