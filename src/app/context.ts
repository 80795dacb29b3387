import type { Calibrator } from './ports/calibrator.ts'
import type { Clock } from './ports/clock.ts'
import type { EngineDeployer } from './ports/engine.ts'
import type { Host } from './ports/host.ts'
import type { Machine } from './ports/machine.ts'
import type { Metrics } from './ports/metrics.ts'
import type { Pack } from './ports/pack.ts'
import type { Progress } from './ports/progress.ts'
import type { Replay } from './ports/replay.ts'
import type { Sources } from './ports/sources.ts'
import type { BaselineStore } from './ports/store.ts'

/** What a use case may reach: every effect behind its port. */
export interface Effects {
  clock: Clock
  progress: Progress
  pack: Pack
  deployer: EngineDeployer
  replay: Replay
  calibrator: Calibrator
  metrics: Metrics
  host: Host
  machine: Machine
  /** Files beside the manifest. */
  sources: Sources
  toolVersion: string
}

/** The effects of a run that compares with accepted records. */
export interface GateEffects extends Effects {
  /** Null: the run compares with nothing. */
  store: BaselineStore | null
}
