import { describe, expect, it } from 'vitest'
import { resetEvidence } from '../../../../src/adapters/engine/cache-reset.ts'
import { engineControl } from '../../../../src/adapters/engine/control.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { freePorts } from '../../../fakes/free-port.ts'
import { smallExample } from '../../../virtual/virtual-manifest.ts'

describe('a reset', () => {
  it('that the engine does not answer is the engine’s fault', async () => {
    const manifest = smallExample()
    const order = { manifest, dialect: FIXTURE, deployId: 'b', log: { write() {} } }
    const replicas = [{ index: 0, url: `http://127.0.0.1:${await freePorts(1)}` }]
    await using control = engineControl(FIXTURE, manifest)
    const clock = fakeClock({ mode: 'auto' })
    const evidence = await resetEvidence(order, replicas, control, clock, new AbortController().signal)
    expect(evidence).toMatchObject({ state: 'fail', blames: 'engine', text: 'replica 0: refuses connections' })
  })
})
