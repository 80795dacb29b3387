import { NO_TIERS } from './cache-tier.ts'
import type { Dialect } from './dialect.ts'
import { VLLM } from './vllm-table.ts'

/** The embedded engine: vLLM's surface, its own flags in the manifest's argv, and a capacity that is simulated. */
export const FIXTURE: Dialect = {
  ...VLLM,
  id: 'fixture',
  title: 'embedded engine',
  simulated: true,
  seen: { how: 'live', version: '1.0' },
  ownedBy: ['fixture'],
  connection: { ...VLLM.connection, environmentSeconds: null },
  cacheTiers: NO_TIERS,
  precisions: {},
  arguments: [],
  syntax: { prefixes: false, joinedShort: false, positionalModelAfter: [] },
  environment: {},
  ownedEnvironment: {},
  // It serves on for `--drain-seconds` (2 by default) and then cuts what is left.
  stop: {
    signal: 'SIGTERM',
    finishesInFlight: true,
    workersOutliveServer: false,
    drainSetting: '--drain-seconds SECONDS',
  },
  mends: {},
}
