import type { GateEffects } from '../../src/app/context.ts'
import type { Host } from '../../src/app/ports/host.ts'
import type { Pack } from '../../src/app/ports/pack.ts'
import type { PointProgress, Progress } from '../../src/app/ports/progress.ts'
import type { BaselineStore } from '../../src/app/ports/store.ts'
import type { FakeCalibrator, FakeCalibratorOptions } from '../fakes/calibrator.ts'
import { fakeCalibrator } from '../fakes/calibrator.ts'
import { fakeClock } from '../fakes/clock.ts'
import type { FakeMachineOptions } from '../fakes/machine.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { fakePack } from '../fakes/pack.ts'
import type { FakePack } from '../fakes/pack.ts'
import { fakeSources } from '../fakes/sources.ts'
import { virtualDeployer } from './virtual-deployer.ts'
import type { BootPlan, VirtualDeployer } from './virtual-deployer.ts'
import type { VirtualSubject } from './virtual-engine.ts'
import { virtualMachine } from './virtual-machine.ts'
import { virtualMetrics } from './virtual-metrics.ts'
import { virtualReplay } from './virtual-replay.ts'

interface NotedProgress extends Progress {
  readonly notes: string[]
  readonly warnings: string[]
}

export interface VirtualWorld {
  effects: GateEffects & { pack: FakePack; progress: NotedProgress; clock: FakeClock; calibrator: FakeCalibrator }
  deployer: VirtualDeployer
}

export interface WorldInit {
  subject: VirtualSubject
  plan?: BootPlan
  store?: BaselineStore | null
  /** Goes on in the pack of an earlier world. */
  pack?: FakePack
  /** Keep the time of every token; without, records have no gaps. True by default. */
  gaps?: boolean
  sendLagUs?: number
  /** What a calibration finds; nothing to complain of by default. */
  findClient?: NonNullable<FakeCalibratorOptions['find']>
  /** What the machine shows; without GPUs and fit by default. */
  machine?: Omit<FakeMachineOptions, 'clock'>
  /** What is recorded of the machine. */
  recorded?: Readonly<Record<string, string>>
  /** Files beside the manifest. */
  files?: Readonly<Record<string, string>>
  /** When it begins, ISO 8601; the first of 2026 by default. */
  startWall?: string
  /** Told of each note as it comes, and of a point's state each virtual second. */
  onNote?: (text: string) => void
  onPoint?: (state: PointProgress) => void
}

/** The app's effects in virtual time: the engine is the model, and nothing waits. */
export function virtualWorld(init: WorldInit): VirtualWorld {
  const { startWall } = init
  const clock = fakeClock({ mode: 'auto', ...(startWall === undefined ? {} : { startWall }) })
  const deployer = virtualDeployer(clock, init.subject, init.plan ?? {})
  const replay = virtualReplay(clock, deployer, { gaps: init.gaps ?? true, sendLagUs: init.sendLagUs ?? 0 })
  const calibrator = fakeCalibrator({ clock, ...(init.findClient ? { find: init.findClient } : {}) })
  const metrics = virtualMetrics(clock, deployer)
  const pack: FakePack & Pack = init.pack ?? fakePack()
  const progress = notedProgress(init)
  const { store = null } = init
  return {
    deployer,
    effects: {
      clock,
      progress,
      pack,
      deployer,
      replay,
      calibrator,
      metrics,
      host: virtualHost(init.recorded),
      machine: virtualMachine(clock, init.machine),
      sources: fakeSources(init.files),
      store,
      toolVersion: '0.0.0-virtual',
    },
  }
}

function virtualHost(recorded: Readonly<Record<string, string>> = { hostname: 'virtual' }): Host {
  return {
    probe: async (gpus) => ({
      mustEqual: { gpu: 'virtual accelerator', gpus: String(gpus), cpu: 'virtual' },
      recorded: { ...recorded },
    }),
    commit: async () => null,
  }
}

function notedProgress({ onNote, onPoint }: Pick<WorldInit, 'onNote' | 'onPoint'>): NotedProgress {
  const notes: string[] = []
  const warnings: string[] = []
  return {
    notes,
    warnings,
    point: (state) => onPoint?.(state),
    outlook: () => {},
    note: (text) => {
      notes.push(text)
      onNote?.(text)
    },
    warn: (text) => void warnings.push(text),
  }
}
