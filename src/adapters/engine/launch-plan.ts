import { generatedArguments } from '../../core/dialect/arguments.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { DeployOrder } from '../../app/ports/engine.ts'
import { FIXTURE_ENGINE } from './fixture-engine.ts'
import { secretMask } from '../system/secret-mask.ts'
import type { SecretMask } from '../system/secret-mask.ts'

/** What a process deployer takes from outside. */
export interface LaunchSurroundings {
  /** Our own environment: little of it is handed on. */
  environment: Readonly<Record<string, string | undefined>>
  /** What `{node}` stands for. */
  nodePath: string
}

export interface ReplicaLaunch {
  index: number
  port: number
  url: string
  argv: readonly string[]
  /** UUIDs of its own GPUs; empty where none are placed. */
  gpus: readonly string[]
}

export interface LaunchPlan {
  replicas: readonly ReplicaLaunch[]
  environment: Readonly<Record<string, string>>
  secrets: SecretMask
  readyTimeoutMs: number
  stopTimeoutMs: number
}

/** Handed on where set; everything else that an engine sees is in the manifest. */
const HANDED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR']

/**
 * What is started for an order: each replica's arguments with their placeholders filled in and the dialect's own after
 * them. Throws GateError, exit 4, for a manifest that this cannot deploy, and `secret_missing`.
 */
export function launchPlan(order: DeployOrder, around: LaunchSurroundings): LaunchPlan {
  const { manifest, dialect } = order
  const deploy = manifest.engine.deploy
  if (deploy?.kind !== 'process') throw notDeployable(`engine.deploy.kind is ${deploy?.kind ?? 'not given'}`)
  if (deploy.router.kind === 'container') {
    throw notDeployable(`engine.deploy.router.kind ${deploy.router.kind} does not go with processes`)
  }
  const count = serverCount(manifest)
  if (deploy.first_port + count - 1 > 65_535) {
    throw notDeployable(`${count} replicas from port ${deploy.first_port} on reach beyond port 65535`)
  }
  const secrets = secretValues(deploy.secrets, around.environment)
  const replicas = Array.from({ length: count }, (_, index): ReplicaLaunch => {
    const place = { port: deploy.first_port + index, replica: index }
    const fill = (part: string) =>
      part
        .replaceAll('{node}', () => around.nodePath)
        .replaceAll('{fixture_engine}', () => FIXTURE_ENGINE)
        .replaceAll('{port}', String(place.port))
        .replaceAll('{replica}', String(index))
    const argv = [...deploy.argv.map(fill), ...generatedArguments(dialect, manifest, place)]
    return { index, port: place.port, url: `http://127.0.0.1:${place.port}`, argv, gpus: [] }
  })
  const handedOn = HANDED_ON.flatMap((name) => {
    const value = around.environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    replicas,
    environment: { ...Object.fromEntries(handedOn), ...deploy.env, ...dialect.environment, ...secrets },
    secrets: engineMask(manifest, secrets, around.environment),
    readyTimeoutMs: deploy.ready_timeout_seconds * 1000,
    stopTimeoutMs: deploy.stop_timeout_seconds * 1000,
  }
}

/** How many servers are started: one for each replica, or one that holds them all. */
export function serverCount({ engine }: Manifest): number {
  return engine.deploy?.router.kind === 'engine' ? 1 : engine.placement.replicas
}

/** Takes out of what an engine prints and says its secrets, and the token that our requests bear. */
export function engineMask(
  { client }: Manifest,
  secrets: Readonly<Record<string, string>>,
  environment: LaunchSurroundings['environment'],
): SecretMask {
  const token = environment[client.connection.bearer_token_env ?? '']
  return secretMask([...Object.values(secrets), ...(token === undefined ? [] : [token])])
}

/** Throws GateError `secret_missing` for a name that is not set. */
export function secretValues(
  names: readonly string[],
  environment: LaunchSurroundings['environment'],
): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = environment[name]
      if (value) return [name, value]
      throw new GateError({
        code: 'secret_missing',
        message: `engine.deploy.secrets names ${name}, which is not set in the environment`,
        hint: `set ${name} for this process, or take it out of the manifest`,
      })
    }),
  )
}

function notDeployable(what: string): GateError {
  return new GateError({
    code: 'not_deployable',
    message: `the manifest cannot be deployed as processes: ${what}`,
    hint: 'use engine.deploy with kind process and router client, or start the engine yourself and give its endpoint',
    exitCode: EXIT.invalid,
  })
}
