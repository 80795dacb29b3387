import { resolve } from 'node:path'
import { generatedArguments } from '../../core/dialect/arguments.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { DeployOrder } from '../../app/ports/engine.ts'
import { engineMask, secretValues, serverCount } from './launch-plan.ts'
import type { LaunchPlan, ReplicaLaunch } from './launch-plan.ts'

export type DockerDeploy = Extract<NonNullable<Manifest['engine']['deploy']>, { kind: 'docker' }>

/** What a container is started for: an engine's replicas by digest. */
export interface DockerPlan extends LaunchPlan {
  deploy: DockerDeploy
  /** Handed to the container by name, so that no value stands in an argument list. */
  containerSecrets: Readonly<Record<string, string>>
  /** The port after the last replica's: a router's, where one is started. */
  routerPort: number
}

/** Tokens for a hub: weights are staged before, and an engine that runs offline has no use for them. */
const STAGING_ONLY = new Set(['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACE_HUB_TOKEN', 'HF_HUB_TOKEN'])

/**
 * What is started for an order: each container's arguments with `{port}` and `{replica}` filled in and the dialect's own after them.
 * Throws GateError, exit 4, for a manifest that is not of kind docker, and `secret_missing`.
 */
export function dockerPlan(order: DeployOrder, environment: Readonly<Record<string, string | undefined>>): DockerPlan {
  const { manifest, dialect } = order
  const deploy = dockerDeploy(manifest)
  const count = serverCount(manifest)
  const routerPort = deploy.first_port + count
  const lastPort = deploy.router.kind === 'container' ? routerPort : routerPort - 1
  if (lastPort > 65_535) throw notDeployable(`the ports from ${deploy.first_port} on reach beyond port 65535`)
  const replicas = Array.from({ length: count }, (_, index): ReplicaLaunch => {
    const place = { port: deploy.first_port + index, replica: index }
    const fill = (part: string) => part.replaceAll('{port}', String(place.port)).replaceAll('{replica}', String(index))
    const argv = [...deploy.args.map(fill), ...generatedArguments(dialect, manifest, place)]
    return { index, port: place.port, url: `http://127.0.0.1:${place.port}`, argv, gpus: [] }
  })
  const secrets = secretValues(deploy.secrets, environment)
  return {
    deploy,
    replicas,
    routerPort,
    environment: { ...deploy.env, ...dialect.environment },
    containerSecrets: Object.fromEntries(Object.entries(secrets).filter(([name]) => !STAGING_ONLY.has(name))),
    secrets: engineMask(manifest, secrets, environment),
    readyTimeoutMs: deploy.ready_timeout_seconds * 1000,
    stopTimeoutMs: deploy.stop_timeout_seconds * 1000,
  }
}

/** The manifest's deployment, its folders as absolute paths, as Docker wants them. Throws GateError `not_deployable`, exit 4, for any other kind. */
export function dockerDeploy({ engine }: Manifest): DockerDeploy {
  if (engine.deploy?.kind === 'docker') return withWholePaths(engine.deploy)
  throw notDeployable(`engine.deploy.kind is ${engine.deploy?.kind ?? 'not given'}`)
}

function withWholePaths({ weights, compile_cache, ...deploy }: DockerDeploy): DockerDeploy {
  return {
    ...deploy,
    ...(weights === undefined ? {} : { weights: resolve(weights) }),
    ...(compile_cache === undefined ? {} : { compile_cache: resolve(compile_cache) }),
  }
}

function notDeployable(what: string): GateError {
  return new GateError({
    code: 'not_deployable',
    message: `the manifest cannot be deployed as containers: ${what}`,
    hint: 'use engine.deploy with kind docker, and an image by its digest',
    exitCode: EXIT.invalid,
  })
}
