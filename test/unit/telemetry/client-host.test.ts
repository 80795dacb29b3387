import { describe, expect, it } from 'vitest'
import { clientFindings } from '../../../src/core/telemetry/client-host.ts'
import type { ClientFacts, ClientLoad } from '../../../src/core/telemetry/client-host.ts'
import { plainClient } from '../../fakes/client-host.ts'

const LOAD: ClientLoad = { rps: 24, eventsPerSecond: 6000, inFlight: 300, ceiling: null }

function finding(probe: string, change: Partial<ClientFacts>, load: Partial<ClientLoad> | null = {}) {
  const findings = clientFindings(plainClient(change), load === null ? null : { ...LOAD, ...load }, '22.19')
  const found = findings.find((one) => one.probe === probe)
  if (found === undefined) throw new Error(`nothing about ${probe}`)
  return found
}

describe('the client’s findings', () => {
  it('are all good of a plain client, with a load and without', () => {
    for (const load of [LOAD, null]) {
      const findings = clientFindings(plainClient(), load, '22.19')
      expect(findings.filter(({ state, mend }) => state !== 'pass' || mend !== null)).toEqual([])
    }
    expect(clientFindings(plainClient(), null, '22.19').map(({ probe }) => probe)).toContain('port')
    expect(clientFindings(plainClient(), LOAD, '22.19').map(({ probe }) => probe)).not.toContain('port')
  })

  it.each<[string, string, Partial<ClientFacts>, Partial<ClientLoad> | null, string, RegExp]>([
    ['one CPU', 'cores', { cpus: 1 }, {}, 'warn', /1 of 8 CPUs: client and engine take turns/],
    [
      'more events than are likely',
      'cores',
      {},
      { eventsPerSecond: 21_000 },
      'warn',
      /53 % of what its main loop carries \(by 25 µs/,
    ],
    ['as many as are trusted', 'cores', {}, { eventsPerSecond: 20_000 }, 'pass', /50 %/],
    ['more than was calibrated', 'cores', {}, { ceiling: 11_000 }, 'fail', /55 % .*\(by its calibration\)/],
    ['fewer than was calibrated', 'cores', {}, { eventsPerSecond: 30_000, ceiling: 90_000 }, 'pass', /34 %/],
    [
      'too few descriptors',
      'descriptors',
      { descriptors: { limit: 393, open: 30 } },
      {},
      'fail',
      /393 may be open, and 394 are needed/,
    ],
    [
      'just enough',
      'descriptors',
      { descriptors: { limit: 394, open: 30 } },
      {},
      'pass',
      /up to 300 requests in flight at 24\/s/,
    ],
    ['no limit', 'descriptors', { descriptors: { limit: Infinity, open: 9 } }, {}, 'pass', /any number/],
    [
      'few of them without a manifest',
      'descriptors',
      { descriptors: { limit: 64, open: 30 } },
      null,
      'warn',
      /64 may be open/,
    ],
    ['a limit that is not told', 'descriptors', { descriptors: null }, {}, 'unknown', /cannot be read/],
    ['too few ports', 'local_ports', { localPorts: 299 }, {}, 'fail', /299 for its connections/],
    ['ports that are not told', 'local_ports', { localPorts: null }, {}, 'unknown', /cannot be read/],
    ['a slow clock', 'clock', { clockSource: 'hpet' }, {}, 'warn', /hpet/],
    ['a virtual machine’s clock', 'clock', { clockSource: 'kvm-clock' }, {}, 'pass', /kvm-clock/],
    ['no clock', 'clock', { clockSource: null }, {}, 'unknown', /not told/],
    [
      'the port taken',
      'port',
      { usualPort: { port: 8000, taken: 'by process 7' } },
      null,
      'warn',
      /port 8000.* is taken by process 7/,
    ],
  ])('%s: %s', (_, probe, change, load, state, says) => {
    const found = finding(probe, change, load)
    expect(found).toMatchObject({ state, text: expect.stringMatching(says) })
    expect(found.mend === null).toBe(state === 'pass' || state === 'unknown')
  })
})
