import type { Session } from '../../core/capacity/session.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { Pack } from '../ports/pack.ts'
import type { Sources } from '../ports/sources.ts'
import { pathsOf } from '../point/files.ts'
import { readSession } from '../run/session.ts'
import { readPackManifest } from './manifest.ts'
import { checkPoints } from './points.ts'
import type { Verification } from './verify.ts'

/** Any of these is of a run that came to its end: without its checksums it is damaged, not partial. */
const OF_THE_END = ['capacity.json', 'verdict.json', 'report.md', 'report.html', 'SHA256SUMS']

interface Partial {
  session: Session
  paths: readonly string[]
}

/** What a run left that was ended before its verdict; null for any other pack. */
export async function readPartial(pack: Pack): Promise<Partial | null> {
  const paths = await pack.list('.')
  if (!paths.includes('run.json') || OF_THE_END.some((path) => paths.includes(path))) return null
  try {
    const session = await readSession(pack)
    return session && { session, paths }
  } catch (error) {
    if (error instanceof GateError) return null
    throw error
  }
}

/** Judges the points again that the run had judged; one that it was at, and had not, is named and left alone. */
export async function verifyPartial(
  pack: Pack,
  { session, paths }: Partial,
  sources: Sources | null,
): Promise<Verification> {
  const found = new Set(paths.flatMap((path) => /^points\/([^/]+)\//.exec(path)?.[1] ?? []))
  const partial = { judged: session.points, unfinished: [...found].filter((name) => !session.points.includes(name)) }
  const nothing = { discrepancies: [], unverified: [], partial, files: paths.length, points: 0 }
  // Ended before its first point: the manifest is written after run.json.
  if (session.points.length === 0 && !paths.includes('workload-manifest.yaml')) return nothing
  const read = await readPackManifest(pack)
  if (read.manifest === null) return { ...nothing, discrepancies: read.discrepancies }
  const ofJudged = paths.filter(
    (path) => !path.startsWith('points/') || session.points.includes(path.split('/')[1] ?? ''),
  )
  const points = await checkPoints(pack, read.manifest, ofJudged, sources)
  const missing = session.points.filter((name) => !paths.includes(pathsOf(name).point))
  const discrepancies = [
    ...points.discrepancies,
    ...missing.map((name) => ({ code: 'missing', path: pathsOf(name).point, text: 'was judged, and is not there' })),
  ]
  return { discrepancies, unverified: points.unverified, partial, files: paths.length, points: points.reports.length }
}
