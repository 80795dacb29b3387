import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'

/** Few points: what is signed off here are packs, and not the knee. */
const manifest = smallExample({
  sweep: { rates_rps: [30, 60], refine_step: 0.2, repeats: 1 },
  acceptance: { capacity_tolerance: 0.3 },
})
const subject = smallSubject()
const DAY_MS = 86_400_000

export interface WrittenPacks {
  baseline: CapacityRecord
  /** The subject of every pack. */
  subjectSha256: string
  /** Folders of whole packs: a confirmation that holds, and one of an engine that prefills slower. */
  held: string
  lost: string
}

/** Whole packs that the app wrote in virtual time a day ago, in folders below `folder`, with the record that both were held to. */
export async function writePacks(folder: string): Promise<WrittenPacks> {
  const startWall = new Date(Date.now() - DAY_MS).toISOString()
  const common = { manifest, subject, plan: { bootSeconds: 2 }, startWall, gaps: false }
  const { record: baseline } = await runVirtually(common)
  const confirm = async (name: string, parts: Partial<VirtualRun>) => {
    const request = { plan: 'confirm', onMissingBaseline: 'fail' } as const
    const { world } = await runVirtually({ ...common, ...parts, baseline, request })
    const path = join(folder, name)
    for (const [file, bytes] of world.effects.pack.files) {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), bytes)
    }
    return path
  }
  return {
    baseline,
    subjectSha256: baseline.subject.sha256,
    held: await confirm('held', {}),
    lost: await confirm('lost', { subject: { ...subject, faults: { prefillFactor: 3 } } }),
  }
}
