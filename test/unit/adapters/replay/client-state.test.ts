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
  using state = new ClientState()
  await delay(20)
  state.sample()
  if (afterMs > 0) await delay(afterMs)
  block(300)
  const { loopStallUs, cpuUs } = state.sample()
  expect(loopStallUs).toBeGreaterThan(285_000)
  expect(cpuUs).toBeGreaterThan(0)
  expect(state.sample().loopStallUs).toBeLessThan(200_000)
})

test('sees what the collector did since the sample before', async () => {
  using state = new ClientState()
  state.sample()
  for (let round = 0; round < 40; round += 1) Array.from({ length: 100_000 }, (_, index) => ({ index }))
  await delay(20)
  const { gcUs, gcMaxUs } = state.sample()
  expect(gcMaxUs).toBeGreaterThan(0)
  expect(gcUs).toBeGreaterThanOrEqual(gcMaxUs)
})
