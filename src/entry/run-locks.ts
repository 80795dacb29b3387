import type { NvidiaSmi } from '../adapters/machine/nvidia-smi.ts'
import type { NamedLock } from '../adapters/system/locks.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import { claimedGpus } from '../core/telemetry/claimed-gpus.ts'
import type { Inputs } from './inputs.ts'

/** What one run holds alone while it measures: each port that it starts an engine on, or each endpoint; and each of its GPUs. */
export async function runLocks(manifest: Manifest, smi: NvidiaSmi, say: (line: string) => void): Promise<NamedLock[]> {
  return [...engineLocks(manifest), ...(await gpuLocks(manifest, smi, say))]
}

function engineLocks({ engine }: Manifest): NamedLock[] {
  const { deploy } = engine
  if (deploy?.kind === 'endpoint') {
    return deploy.urls
      .toSorted()
      .map((url) => ({ name: `endpoint-${url}`, what: `the endpoint ${url}`, reach: 'user' }))
  }
  return enginePorts({ engine }).map((port) => ({
    name: `port-${port}`,
    what: `port ${port} of this machine`,
    reach: 'user',
  }))
}

/** Each port that a server or a router of the manifest listens on; none for an endpoint. */
export function enginePorts({ engine }: Pick<Manifest, 'engine'>): number[] {
  const { deploy, placement } = engine
  if (deploy === undefined || deploy.kind === 'endpoint') return []
  const servers = deploy.router.kind === 'engine' ? 1 : placement.replicas
  const count = deploy.router.kind === 'container' ? servers + 1 : servers
  return Array.from({ length: count }, (_, index) => deploy.first_port + index)
}

/** By UUID, which no restart of the driver changes; in one order, so that no two runs wait for each other. */
async function gpuLocks(manifest: Manifest, smi: NvidiaSmi, say: (line: string) => void): Promise<NamedLock[]> {
  if (manifest.engine.placement.gpus === 0) return []
  const gpus = await smi.list()
  if ('why' in gpus) {
    say(`warning: the GPUs cannot be locked against other runs: ${gpus.why}`)
    return []
  }
  const uuids = claimedGpus(manifest, gpus)?.uuids ?? []
  return uuids.toSorted().map((uuid) => {
    const index = gpus.find((gpu) => gpu.uuid === uuid)?.index
    return { name: `gpu-${uuid}`, what: `GPU ${index} (${uuid})`, reach: 'machine' }
  })
}

/** For whom a run holds its locks, as others read it: `job gate of https://github.com/acme/engine/actions/runs/42`. */
export function lockOwner(env: Inputs['env']): { owner?: string } {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, GITHUB_JOB: job } = env
  if (!repository) return {}
  const place = server && run ? `${server}/${repository}/actions/runs/${run}` : repository
  return { owner: job ? `job ${job} of ${place}` : place }
}
