import { expect, it } from 'vitest'
import { openNetTransport } from '../../../../src/adapters/replay/net-transport.ts'
import { openUndiciTransport } from '../../../../src/adapters/replay/undici-transport.ts'
import { fuzzWire } from '../../../fuzz/wire-fuzz.ts'

it.each([
  ['sockets of our own', 400, openNetTransport],
  ['undici', 150, openUndiciTransport],
] as const)('recorded answers in any framing and parts give their records over %s', async (_, answers, open) => {
  const found = await fuzzWire(1, (asked) => asked >= answers, open)
  expect(found.faults).toEqual([])
  expect(found.answers).toBeGreaterThanOrEqual(answers)
  expect(found.connections).toBeLessThan(answers)
})
