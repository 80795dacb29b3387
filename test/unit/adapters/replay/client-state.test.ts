import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ClientState } from '../../../../src/adapters/replay/client-state.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'

const clock = systemClock()

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Long enough for a look. */
const looked = (): Promise<void> => delay(20)

test.each([
  ['right after a sample', 0],
  ['between two looks', 12],
])('sees a loop that stands still %s', async (_, afterMs) => {
  using state = new ClientState(10_000, () => clock.nowUs())
  await delay(20)
  state.sample()
  if (afterMs > 0) await delay(afterMs)
  block(300)
  const { loopStallUs, cpuUs } = state.sample()
  expect(loopStallUs).toBeGreaterThan(285_000)
  expect(cpuUs).toBeGreaterThan(0)
})

test('adds up what went beyond the tolerance of all standstills of a sample, and tells each once', async () => {
  const time = { us: 0 }
  using state = new ClientState(10_000, () => time.us)
  for (const us of [60_000, 15_000, 90_000]) {
    time.us += us
    await looked()
  }
  // Each but for the time between two looks and the tolerance.
  expect(state.sample()).toMatchObject({ loopStallUs: 85_000, loopBlindUs: 45_000 + 75_000 })
  expect(state.sample()).toMatchObject({ loopStallUs: 0, loopBlindUs: 0 })
})

test('counts nothing as blind within the tolerance', () => {
  const time = { us: 0 }
  using state = new ClientState(60_000, () => time.us)
  time.us += 65_000
  expect(state.sample()).toMatchObject({ loopStallUs: 60_000, loopBlindUs: 0 })
})

test('sees what the collector did since the sample before', async () => {
  using state = new ClientState(10_000, () => clock.nowUs())
  state.sample()
  for (let round = 0; round < 40; round += 1) Array.from({ length: 100_000 }, (_, index) => ({ index }))
  await delay(20)
  const { gcUs, gcMaxUs } = state.sample()
  expect(gcMaxUs).toBeGreaterThan(0)
  expect(gcUs).toBeGreaterThanOrEqual(gcMaxUs)
})
