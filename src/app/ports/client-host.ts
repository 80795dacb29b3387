import type { ClientFacts } from '../../core/telemetry/client-host.ts'

/** What the load generator has to work with on this machine. Looked at, never changed; throws nothing. */
export interface ClientHost {
  look(): Promise<ClientFacts>
}
