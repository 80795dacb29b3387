import type { DockerDeploy } from './docker-plan.ts'

/** A folder of this machine as a container sees it. */
export interface Mount {
  source: string
  target: string
  isReadOnly: boolean
}

export interface ContainerOrder {
  name: string
  image: string
  labels: Readonly<Record<string, string>>
  environment: Readonly<Record<string, string>>
  /** Names whose values are in the docker program's own environment. */
  environmentNames: readonly string[]
  mounts: readonly Mount[]
  /** UUIDs. */
  gpus: readonly string[]
  deploy: Pick<DockerDeploy, 'cpus' | 'shm_gib' | 'ipc' | 'ulimits' | 'memory_gib'>
  argv: readonly string[]
}

const GIBIBYTE = 1024 ** 3
/** What the daemon keeps of a container's output on its own disk; the pack's log has bounds of its own. */
const DAEMON_LOG = ['--log-driver', 'json-file', '--log-opt', 'max-size=32m', '--log-opt', 'max-file=2']
/** A health check of the image's own would be a load that nobody asked for: replicas are asked by the run. */
const QUIET = ['--restart', 'no', '--no-healthcheck']
const ALWAYS = ['create', '--pull', 'never', ...QUIET, '--network', 'host', ...DAEMON_LOG]

/**
 * The arguments of `docker create`: the host's network, so that nothing stands between client and engine; never a pull, never a restart
 * behind our back; and what the manifest's typed settings amount to.
 */
export function createArguments(order: ContainerOrder): string[] {
  return [
    ...ALWAYS,
    '--name',
    order.name,
    ...Object.entries(order.labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    ...(order.gpus.length > 0 ? ['--gpus', csvField(`device=${order.gpus.join(',')}`)] : []),
    ...limits(order.deploy),
    ...order.mounts.flatMap((mount) => ['--mount', mountValue(mount)]),
    ...Object.entries(order.environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...order.environmentNames.flatMap((name) => ['--env', name]),
    '--',
    order.image,
    ...order.argv,
  ]
}

function limits({ cpus, shm_gib, ipc, ulimits, memory_gib }: ContainerOrder['deploy']): string[] {
  const bytes = (gib: number) => String(Math.round(gib * GIBIBYTE))
  return [
    ...(cpus ? ['--cpuset-cpus', cpus.engine] : []),
    ...(shm_gib === undefined ? [] : ['--shm-size', bytes(shm_gib)]),
    ...(ipc === undefined ? [] : ['--ipc', ipc]),
    ...Object.entries(ulimits ?? {}).flatMap(([name, limit]) => ['--ulimit', `${name}=${limit}:${limit}`]),
    // The same with swap: an engine that swaps measures the disk.
    ...(memory_gib === undefined ? [] : ['--memory', bytes(memory_gib), '--memory-swap', bytes(memory_gib)]),
  ]
}

function mountValue({ source, target, isReadOnly }: Mount): string {
  const fields = ['type=bind', csvField(`source=${source}`), csvField(`target=${target}`)]
  return [...fields, ...(isReadOnly ? ['readonly'] : [])].join(',')
}

/** Docker reads these values as a line of CSV. */
function csvField(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
