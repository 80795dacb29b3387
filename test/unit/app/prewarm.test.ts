import { describe, expect, test } from 'vitest'
import { setCacheState } from '../../../src/app/point/cache-state.ts'
import { measurePoint } from '../../../src/app/point/protocol.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import type { FakeAnswer } from '../../fakes/fake-answer.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const manifest = smallExample()
const dialect = dialectFor(manifest)
const { schedule } = buildSchedule(manifest, 'warm')
const signal = new AbortController().signal

/** The evidence of a prewarm in which every request meets `answer`, and how many requests each replica was sent. */
async function prewarmed(answer: (id: string, sends: number) => FakeAnswer) {
  const clock = fakeClock({ mode: 'auto' })
  const sends = new Map<string, number>()
  const perReplica = [0, 0]
  const replay = fakeReplay({
    clock,
    answer: ({ id }, replica) => {
      perReplica[replica] = (perReplica[replica] ?? 0) + 1
      const key = `${id} ${replica}`
      sends.set(key, (sends.get(key) ?? 0) + 1)
      return answer(id, sends.get(key) ?? 0)
    },
  })
  const effects = { ...virtualWorld({ subject: smallSubject() }).effects, clock, replay }
  const order = { manifest, dialect, deployId: 'warm-boot-1', log: { write() {} } }
  await using deployment = await fakeDeployer().deploy(order, signal)
  const shape = { manifest, dialect, header: schedule.header, epoch: 1 }
  const [, evidence] = await setCacheState(effects, deployment, schedule, shape, signal)
  return { evidence, perReplica }
}

describe('the prewarm', () => {
  test('takes one refusal of a prefix for nothing, since the engine has an error budget', async () => {
    const { evidence } = await prewarmed((_, sends) => (sends === 1 ? { status: 'rejected', httpStatus: 503 } : {}))
    expect(evidence).toMatchObject({ probe: 'cache_hit.prewarm', state: 'pass', value: 0 })
  })

  test('that the engine does not answer is the engine’s fault, and given up after the first prefix', async () => {
    const dead = await prewarmed(() => ({ status: 'timeout', errorCode: 'whole_deadline' }))
    expect(dead.evidence).toMatchObject({ state: 'fail', blames: 'engine', value: 2 * schedule.header.prefixes.length })
    expect(dead.perReplica).toEqual([3, 3])
  })

  test('that the client could not send is the client’s', async () => {
    const { evidence } = await prewarmed(() => ({ status: 'error', errorCode: 'client_resource' }))
    expect(evidence).toMatchObject({ state: 'fail', blames: 'client' })
  })

  test('that fails is a failed point: no load is sent, and what befell the engine is named', async () => {
    const clock = fakeClock({ mode: 'auto' })
    const isDead = ({ class: name }: { class: string }) => name === 'prewarm'
    const replay = fakeReplay({
      clock,
      answer: (row) => (isDead(row) ? { status: 'error', errorCode: 'connect_failed' } : {}),
    })
    const effects = { ...virtualWorld({ subject: smallSubject() }).effects, clock, replay }
    const deployer = fakeDeployer()
    await using deployment = await deployer.deploy(
      { manifest, dialect, deployId: 'warm-boot-1', log: { write() {} } },
      signal,
    )
    deployer.happen('warm-boot-1', { clockUs: 0, replica: 0, kind: 'exit', blames: 'engine', text: 'replica 0 ended' })
    const key = { cache: 'warm', load: { openMilliRps: 20_000 }, repeat: 1 } as const
    const point = await measurePoint(effects, { manifest, dialect, schedule, key, deployment }, signal)
    expect(point).toMatchObject({ outcome: 'fail', slo: { attempted: 0 } })
    expect(point.reasons.map(({ code }) => code)).toEqual(['evidence_failed', 'exit'])
  })
})
