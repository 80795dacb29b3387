import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, Replica } from '../../app/ports/engine.ts'
import { GateError } from '../../core/kernel/errors.ts'
import { temporaryFolder } from '../system/temporaries.ts'
import type { EngineControl } from './control.ts'
import type { DockerPlan } from './docker-plan.ts'
import type { StandingContainers } from './standing-containers.ts'

/** Where HAProxy's own images read their configuration. */
const CONFIGURATION = '/usr/local/etc/haproxy/haproxy.cfg'
const READY_MS = 30_000
const POLL_MS = 100

/**
 * HAProxy's configuration: in turn over the replicas that are healthy. It sends nothing twice, keeps no connection to an engine that may
 * close it, holds no chunk back, and gives up on nothing before the client does.
 */
export function routerConfiguration(port: number, replicas: readonly Replica[], healthPath: string): string {
  const servers = replicas.map(
    ({ index, url }) => `  server r${index} ${new URL(url).host} check inter 1s fall 3 rise 1`,
  )
  return [
    'global',
    '  maxconn 8000',
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 24h',
    '  timeout server 24h',
    '  timeout queue 24h',
    '  retries 0',
    '  option http-server-close',
    '  option http-no-delay',
    'frontend load',
    `  bind 127.0.0.1:${port}`,
    '  default_backend replicas',
    'backend replicas',
    '  balance roundrobin',
    `  option httpchk GET ${healthPath}`,
    ...servers,
    '',
  ].join('\n')
}

export interface RouterOrder {
  order: DeployOrder
  plan: DockerPlan
  engine: StandingContainers
  control: EngineControl
  clock: Clock
}

/** Starts the manifest's router before replicas that are ready; returns its origin. Throws GateError `router_not_ready`. */
export async function startRouter(
  router: RouterOrder,
  replicas: readonly Replica[],
  signal: AbortSignal,
): Promise<string> {
  const { order, plan, engine, control, clock } = router
  const { deploy, routerPort } = plan
  if (deploy.router.kind !== 'container') throw new Error('a router is started for a router of kind container')
  // Read once, as it starts; the daemon needs it no longer than that.
  const folder = await temporaryFolder('router')
  const url = `http://127.0.0.1:${routerPort}`
  try {
    const source = join(folder, 'haproxy.cfg')
    await writeFile(source, routerConfiguration(routerPort, replicas, order.dialect.health.path), { mode: 0o644 })
    const mounts = [{ source, target: CONFIGURATION, isReadOnly: true }]
    const nothing = { environment: {}, environmentNames: [], gpus: [], argv: [] }
    // Beside the client: what the engine has is the engine's.
    const cpus = deploy.cpus && { engine: deploy.cpus.client, client: deploy.cpus.client }
    const limits = cpus ? { cpus } : {}
    await engine.launch({ ...nothing, image: deploy.router.image, mounts, deploy: limits }, null, 'router', order)
    const deadlineUs = clock.nowUs() + READY_MS * 1000
    for (;;) {
      const ill = await control.ill(url, signal)
      if (ill === null) return url
      if (clock.nowUs() >= deadlineUs) throw notReady(url, ill)
      await clock.sleep(POLL_MS, signal)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function notReady(url: string, why: string): GateError {
  return new GateError({
    code: 'router_not_ready',
    message: `the router at ${url} was not ready within ${READY_MS / 1000} s: it ${why}`,
    hint: 'see what it printed in engine.log; its image must be an HAProxy that reads its usual configuration file',
  })
}
