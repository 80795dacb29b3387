import type { PointReport } from '../core/capacity/record.ts'
import { dialectFor } from '../core/dialect/choose.ts'
import type { PointKey } from '../core/kernel/point.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import { renderFailureTest } from '../core/report/failure-test.ts'
import type { Effects } from './context.ts'
import { pathsOf } from './point/files.ts'
import { measurePoint } from './point/protocol.ts'
import { pointName } from '../core/kernel/point.ts'
import { writeChecksums } from './run/checksums.ts'
import { openEngineLog } from './run/engine-log.ts'
import { requirePackOfReplays } from './run/pack-in-use.ts'
import { buildSchedules, freezeSchedules, schedulesOf } from './run/schedules.ts'

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
  const built = buildSchedules(manifest, [key.cache])
  const schedule = schedulesOf(built).get(key.cache)
  if (!schedule) throw new Error(`no schedule was built for ${key.cache}`)
  await requirePackOfReplays(pack, request.manifestText)
  await freezeSchedules(pack, built)
  await pack.write('workload-manifest.yaml', request.manifestText)
  await using log = await openEngineLog(pack)
  await using deployment = await effects.deployer.deploy({ manifest, dialect, deployId: 'endpoint-1', log }, signal)
  const point = await measurePoint(effects, { manifest, dialect, schedule, key, deployment }, signal)
  const paths = pathsOf(pointName(key))
  for (const name of ['requests', 'slo'] as const) {
    const bytes = await pack.read(paths[name])
    if (bytes !== null) await pack.write(name === 'slo' ? 'slo-report.json' : 'requests.csv', bytes)
  }
  await pack.write('failure-test.md', renderFailureTest())
  await writeChecksums(pack)
  return point
}
