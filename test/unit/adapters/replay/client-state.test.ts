import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ClientState } from '../../../../src/adapters/replay/client-state.ts'

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test.each([
  ['right after a sample', 0],
  ['between two looks', 12],
])('sees a loop that stands still %s, once', async (_, afterMs) => {
  using state = new ClientState(10_000)
  await delay(20)
  state.sample()
  if (afterMs > 0) await delay(afterMs)
  block(300)
  const { loopStallUs, cpuUs } = state.sample()
  expect(loopStallUs).toBeGreaterThan(285_000)
  expect(cpuUs).toBeGreaterThan(0)
  expect(state.sample().loopStallUs).toBeLessThan(200_000)
})

test('adds up what went beyond the tolerance of all standstills of a sample', async () => {
  using state = new ClientState(10_000)
  await delay(20)
  state.sample()
  for (const ms of [60, 90]) {
    await delay(10)
    block(ms)
  }
  await delay(10)
  const { loopStallUs, loopBlindUs = 0 } = state.sample()
  expect(loopStallUs).toBeGreaterThanOrEqual(75_000)
  // Each but for a look's length and the tolerance.
  expect(loopBlindUs).toBeGreaterThanOrEqual(45_000 + 75_000 - 20_000 + 5000)
  expect(state.sample().loopBlindUs).toBeLessThan(60_000)
})

test('counts nothing as blind within the tolerance', async () => {
  using state = new ClientState(60_000_000)
  await delay(20)
  block(50)
  expect(state.sample()).toMatchObject({ loopBlindUs: 0 })
})

test('sees what the collector did since the sample before', async () => {
  using state = new ClientState(10_000)
  state.sample()
  for (let round = 0; round < 40; round += 1) Array.from({ length: 100_000 }, (_, index) => ({ index }))
  await delay(20)
  const { gcUs, gcMaxUs } = state.sample()
  expect(gcMaxUs).toBeGreaterThan(0)
  expect(gcUs).toBeGreaterThanOrEqual(gcMaxUs)
})
