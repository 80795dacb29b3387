import type { ClientHost } from '../../src/app/ports/client-host.ts'
import type { ClientFacts } from '../../src/core/telemetry/client-host.ts'

/** A client with nothing to complain of. */
export function plainClient(change: Partial<ClientFacts> = {}): ClientFacts {
  return {
    node: '24.22.3',
    cpus: 8,
    logicalCpus: 8,
    descriptors: { limit: 65_536, open: 30 },
    clockSource: 'tsc',
    localPorts: 28_232,
    usualPort: { port: 8000, taken: null },
    ...change,
  }
}

export function fakeClientHost(change: Partial<ClientFacts> = {}): ClientHost {
  return { look: async () => plainClient(change) }
}
