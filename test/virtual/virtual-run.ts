import type { Settled } from '../../src/app/run/settle.ts'
import type { RunRequest } from '../../src/app/run/run.ts'
import { run } from '../../src/app/run/run.ts'
import type { CapacityRecord } from '../../src/core/capacity/record.ts'
import type { Manifest } from '../../src/core/manifest/schema.ts'
import { promotion } from '../fakes/promotion.ts'
import { fakeStore } from '../fakes/store.ts'
import { manifestText } from './virtual-manifest.ts'
import { virtualWorld } from './virtual-world.ts'
import type { VirtualWorld, WorldInit } from './virtual-world.ts'

export interface VirtualRun extends WorldInit {
  manifest: Manifest
  request?: Partial<Omit<RunRequest, 'manifest'>>
  baseline?: CapacityRecord
  signal?: AbortSignal
}

/** One whole run of the app in virtual time: a sweep that is only recorded, unless the request says otherwise. */
export async function runVirtually(init: VirtualRun): Promise<Settled & { world: VirtualWorld }> {
  const { manifest, request, baseline, signal, ...rest } = init
  const store = fakeStore()
  if (baseline) await store.accept(baseline, () => promotion({ anchor: false }))
  const world = virtualWorld({ store, ...rest })
  const asked: RunRequest = {
    manifest,
    manifestText: manifestText(manifest),
    subjectText: null,
    plan: 'sweep',
    caches: ['cold', 'warm'],
    resume: false,
    onMissingBaseline: 'record',
    acceptedLosses: null,
    onHostChange: 'remeasure',
    budgetMinutes: null,
    context: { toolVersion: '0.0.0-virtual' },
    ...request,
  }
  const settled = await run(world.effects, asked, signal ?? new AbortController().signal)
  return { ...settled, world }
}
