import type { ClientWatch } from '../../src/core/telemetry/line.ts'

/** What a client watches of itself that nothing holds up. */
export const UNDISTURBED: ClientWatch = { loopStallUs: 0, gcMaxUs: 0, gcUs: 0, cpuUs: 20_000 }
