import type { Dialect } from './dialect.ts'
import { VLLM } from './vllm-table.ts'

/** The embedded engine: vLLM's surface, its own flags in the manifest's argv, and a capacity that is simulated. */
export const FIXTURE: Dialect = {
  ...VLLM,
  id: 'fixture',
  title: 'embedded engine',
  simulated: true,
  connection: { ...VLLM.connection, environmentSeconds: null },
  precisions: {},
  arguments: [],
  positionalModelAfter: null,
  environment: {},
  ownedEnvironment: {},
  stop: { signal: 'SIGTERM', finishesInFlight: false, workersOutliveServer: false },
}
