import type { PointReport } from '../core/capacity/record.ts'
import { dialectFor } from '../core/dialect/choose.ts'
import type { PointKey } from '../core/kernel/point.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import { renderFailureTest } from '../core/report/failure-test.ts'
import type { Effects } from './context.ts'
import { pathsOf } from './point/files.ts'
import { judgeWritten, writeMeasured } from './point/judge.ts'
import type { PointOrder } from './point/protocol.ts'
import { factsOf, measurePoint } from './point/protocol.ts'
import type { Pack } from './ports/pack.ts'
import { calibratePoint } from './point/calibration.ts'
import { pointName } from '../core/kernel/point.ts'
import { writeChecksums } from './run/checksums.ts'
import { openEngineLog } from './run/engine-log.ts'
import { requirePackOfReplays } from './run/pack-in-use.ts'
import { buildSchedules, freezeSchedules, schedulesOf } from './run/schedules.ts'

const DEPLOY_ID = 'endpoint-1'

export interface ReplayRequest {
  /** Its deployment is the endpoint; small manifests will do: one class, no sweep. */
  manifest: Manifest
  manifestText: string
  key: PointKey
}

/**
 * One point against an endpoint that is already up. The pack holds the point, and its two files at the root as the selected point's.
 */
export async function replayPoint(effects: Effects, request: ReplayRequest, signal: AbortSignal): Promise<PointReport> {
  const { manifest, key } = request
  const { pack } = effects
  const dialect = dialectFor(manifest)
  const built = await buildSchedules(manifest, [key.cache], effects.sources)
  const schedule = schedulesOf(built).get(key.cache)
  if (!schedule) throw new Error(`no schedule was built for ${key.cache}`)
  await requirePackOfReplays(pack, request.manifestText)
  await freezeSchedules(pack, built)
  await pack.write('workload-manifest.yaml', request.manifestText)
  const order = { manifest, dialect, schedule, key, ...(built.texts ? { texts: built.texts } : {}) }
  const isFit = await calibratePoint(effects, order, signal)
  const point = isFit ? await measureAlone(effects, order, signal) : await unfitClient(pack, order)
  await publishPoint(pack, key)
  return point
}

type AloneOrder = Omit<PointOrder, 'deployment'>

async function measureAlone(effects: Effects, order: AloneOrder, signal: AbortSignal): Promise<PointReport> {
  const { manifest, dialect } = order
  await using log = await openEngineLog(effects.pack)
  await using deployment = await effects.deployer.deploy({ manifest, dialect, deployId: DEPLOY_ID, log }, signal)
  return await measurePoint(effects, { ...order, deployment }, signal)
}

/** The engine is left alone: the point is invalid by the client's fault, with an empty cohort. */
async function unfitClient(pack: Pack, order: AloneOrder): Promise<PointReport> {
  const facts = factsOf({ ...order, deployment: { deployId: DEPLOY_ID, replicas: [] } }, null)
  await writeMeasured(pack, order, { records: [], gaps: new Map(), lines: [{ t: 'point', facts }] })
  return judgeWritten(pack, order)
}

/** The pack's root holds the files of the point that was measured last. */
async function publishPoint(pack: Pack, key: PointKey): Promise<void> {
  const paths = pathsOf(pointName(key))
  for (const name of ['requests', 'slo'] as const) {
    const bytes = await pack.read(paths[name])
    if (bytes !== null) await pack.write(name === 'slo' ? 'slo-report.json' : 'requests.csv', bytes)
  }
  await pack.write('failure-test.md', renderFailureTest())
  await writeChecksums(pack)
}
