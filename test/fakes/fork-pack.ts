import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openPack } from '../../src/adapters/system/pack.ts'
import { gatePack } from '../../src/app/gate-pack.ts'
import { readPackText } from '../../src/app/point/files.ts'
import type { CapacityRecord } from '../../src/core/capacity/record.ts'
import { parseCapacityRecord } from '../../src/core/gate/read.ts'
import type { Manifest } from '../../src/core/manifest/schema.ts'
import type { ReportContext } from '../../src/core/report/context.ts'
import { parseContextFile } from '../../src/core/report/context-file.ts'
import type { ManifestChange } from '../virtual/virtual-manifest.ts'
import { manifestText, smallExample, smallSubject } from '../virtual/virtual-manifest.ts'
import { runVirtually } from '../virtual/virtual-run.ts'
import type { VirtualSubject } from '../virtual/virtual-engine.ts'
import { promotion } from './promotion.ts'
import { fakeStore } from './store.ts'

const PLAN = { bootSeconds: 2 }
const SWEEP: ManifestChange = { sweep: { rates_rps: [45, 60], refine_step: 0.04, repeats: 1 } }

/** What the repository that is protected has: its manifest and its accepted record. */
export interface OwnGate {
  manifest: Manifest
  baseline: CapacityRecord
}

/** A pack as files by their paths. */
export type PackFiles = ReadonlyMap<string, Uint8Array>

export async function ownGate(
  sweep: ManifestChange = SWEEP,
  subject: VirtualSubject = smallSubject(),
): Promise<OwnGate> {
  const manifest = smallExample(sweep)
  const { record } = await runVirtually({ manifest, subject, plan: PLAN, request: { caches: ['cold'] } })
  return { manifest, baseline: record }
}

export interface Measured {
  /** What the pull request changes in the manifest. */
  change?: ManifestChange
  subject?: VirtualSubject
  /** The record that the measuring job compares with: its own checkout's. */
  baseline?: CapacityRecord
  context?: ReportContext
}

/** The whole pack that a job measured of a pull request, in virtual time. */
export async function measuredPack(own: OwnGate, measured: Measured = {}): Promise<PackFiles> {
  const { world } = await runVirtually({
    manifest: smallExample(SWEEP, ...(measured.change ? [measured.change] : [])),
    subject: measured.subject ?? smallSubject({ seed: 7 }),
    baseline: measured.baseline ?? own.baseline,
    plan: PLAN,
    request: {
      plan: 'confirm',
      caches: ['cold'],
      onMissingBaseline: 'fail',
      context: measured.context ?? { toolVersion: '0.0.0-virtual' },
    },
  })
  return world.effects.pack.files
}

export function writePack(folder: string, files: PackFiles): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

export function writeOwnGate(folder: string, { manifest, baseline }: OwnGate): { manifest: string; baseline: string } {
  const [path, accepted] = [join(folder, 'workload-manifest.yaml'), join(folder, 'accepted.json')]
  writeFileSync(path, manifestText(manifest))
  writeFileSync(accepted, JSON.stringify(baseline))
  return { manifest: path, baseline: `file:${accepted}` }
}

/** Makes a folder's checksums good, as whoever tampers with a pack would. */
export function sealAgain(folder: string): void {
  const lines = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map(
      (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file.slice(folder.length + 1)}\n`,
    )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/**
 * Makes verdict, reports and checksums follow from the folder's record and its own baseline, as a forger with this very tool would; under
 * another context where one is given.
 */
export async function judgeAgain(folder: string, context?: ReportContext): Promise<void> {
  const pack = await openPack(folder)
  const asked = parseContextFile(await readPackText(pack, 'report-context.json'))
  const baseline = parseCapacityRecord(await readPackText(pack, 'baseline.json'))
  const store = fakeStore()
  await store.accept(baseline, () => promotion({ anchor: false }))
  await gatePack(pack, store, {
    onMissingBaseline: asked.onMissingBaseline,
    onHostChange: asked.onHostChange,
    acceptedLosses: null,
    context: context ?? asked.context,
  })
}
