import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, EngineEvent, Owned } from '../../app/ports/engine.ts'
import { GateError } from '../../core/kernel/errors.ts'
import { signalQuietly } from '../system/process-group.ts'
import type { OutputStream } from '../system/process-group.ts'
import { findProcess, isAlive, pidNamespace } from '../system/process-table.ts'
import type { ProcessIdentity } from '../system/process-table.ts'
import { waitForFreePorts } from '../system/tcp-ports.ts'
import type { Standing } from './bring-up.ts'
import { createArguments } from './docker-arguments.ts'
import type { Mount } from './docker-arguments.ts'
import type { StagedImage } from './docker-image.ts'
import { containersWith, NAME_PREFIX, removeContainers } from './docker-labels.ts'
import type { DeploymentLabels } from './docker-labels.ts'
import type { DockerPlan } from './docker-plan.ts'
import { accepted, isDockerGone, lastLine } from './docker-program.ts'
import type { Docker, DockerFollowing } from './docker-program.ts'
import { watchContainers } from './docker-watch.ts'
import type { ContainerEnd, ContainerWatch } from './docker-watch.ts'
import { diedAtStart, endedText, LAST_LINES, saysOutOfMemory } from './engine-end.ts'
import { engineLog, ROUTER } from './engine-log.ts'
import type { EngineLog } from './engine-log.ts'
import type { MemoryFloor } from './gpu-memory.ts'
import type { ReplicaLaunch } from './launch-plan.ts'
import { portTaken } from './port-taken.ts'

export interface ContainersOptions {
  docker: Docker
  order: DeployOrder
  plan: DockerPlan
  image: StagedImage
  labels: DeploymentLabels
  mounts: readonly Mount[]
  clock: Clock
  /** The run's own: once it is aborted, stopping has to be quick. */
  signal: AbortSignal
  floor: MemoryFloor
}

/** One container as it was started. */
export interface StandingContainer {
  /** Null: a router. */
  replica: number | null
  id: string
  /** Its first process, where this process may see it. */
  process: ProcessIdentity | null
  logs: DockerFollowing | null
}

/** A cancelled job has ten seconds in all. */
const CANCELLED_GRACE_MS = 4000
const START_MS = 120_000
const ASK_MS = 10_000
const PORTS_FREE_MS = 5000
const LAST_WORDS_MS = 500
const POLL_MS = 20

/** The containers of one deployment, from before the first is created until nothing of them is left. */
export class StandingContainers implements Standing {
  readonly log: EngineLog
  readonly containers: StandingContainer[] = []
  readonly events: EngineEvent[] = []
  readonly died = new AbortController()
  isReady = false
  readonly #options: ContainersOptions
  readonly #watch: ContainerWatch
  readonly #ended = new Set<string>()
  #stopping: Promise<void> | null = null

  constructor(options: ContainersOptions) {
    this.#options = options
    this.log = engineLog(options.order.log, options.plan.secrets)
    this.#watch = watchContainers({
      docker: options.docker,
      labels: [options.labels.own, options.labels.owner],
      onEnd: (id, end) => void this.#onEnd(id, end),
      onOutOfMemory: (id) => this.#happened(id, 'out_of_memory', 'engine', 'had a process ended for want of memory'),
      onDaemonGone: () => this.#onDaemonGone(),
    })
  }

  /** Throws GateError `engine_start_failed`, `docker_failed` or `docker_unavailable`. */
  async start(launch: ReplicaLaunch): Promise<void> {
    const { plan, image, mounts, order } = this.#options
    const deploy = plan.deploy
    const name = `r${launch.index}`
    const environment = plan.environment
    const what = { image: image.reference, deploy, mounts, environment, gpus: launch.gpus, argv: launch.argv }
    await this.launch({ ...what, environmentNames: Object.keys(plan.containerSecrets) }, launch.index, name, order)
  }

  /** Creates and starts one container, and takes what it prints. */
  async launch(
    what: Omit<Parameters<typeof createArguments>[0], 'name' | 'labels'>,
    replica: number | null,
    suffix: string,
    { deployId }: Pick<DeployOrder, 'deployId'>,
  ): Promise<void> {
    const { docker, plan, labels, signal } = this.#options
    const name = `${NAME_PREFIX}${deployId.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}-${suffix}-${labels.own.slice(-8)}`
    const create = createArguments({ ...what, name, labels: labels.labels })
    const call = { deadlineMs: START_MS, signal, environment: plan.containerSecrets }
    const id = accepted(await docker.call(create, call), `create the container ${name}`).trim()
    const container: StandingContainer = { replica, id, process: null, logs: null }
    this.containers.push(container)
    const started = await docker.call(['start', id], { deadlineMs: START_MS, signal })
    if (!started.ok && !isDockerGone(started)) throw startFailed(name, lastLine(started))
    accepted(started, `start the container ${name}`)
    const onOutput = (chunk: Buffer, stream: OutputStream) => this.log.take(replica ?? ROUTER, chunk, stream)
    container.logs = docker.follow(['logs', '--follow', id], onOutput)
    container.process = await this.#firstProcess(id)
  }

  /** Of a container only the first process is known by its number; the others are known by the container. */
  async owned(): Promise<Owned> {
    const pids = this.containers.flatMap(({ process }) => process?.pid ?? [])
    return { pids, containers: this.containers.map(({ id }) => id) }
  }

  /** By the container's own numbering of processes, which nothing outside of it shares. */
  async owns(replica: number, pid: number): Promise<boolean | null> {
    const first = this.containers.find((one) => one.replica === replica)?.process
    const [own, other] = await Promise.all([first?.pid, pid].map((one) => pidNamespace(one ?? 0)))
    return own === null || other === null ? null : own === other
  }

  /** Asks all to stop, then ends and removes them, then waits for ports and GPU memory. Once, however often it is called. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #firstProcess(id: string): Promise<ProcessIdentity | null> {
    const answer = await this.#options.docker.call(['inspect', '--format', '{{.State.Pid}}', id], {
      deadlineMs: ASK_MS,
    })
    const pid = answer.ok ? Number(answer.stdout.trim()) : 0
    return pid > 0 ? findProcess(pid) : null
  }

  async #stop(): Promise<void> {
    const { docker, labels, plan, signal, floor } = this.#options
    try {
      await this.#askToStop()
      // Also one that was created while its call was cut short.
      await removeContainers(docker, await containersWith(docker, labels.own))
    } catch (error) {
      await this.#killProcesses()
      throw error
    } finally {
      this.#watch.stop()
      await Promise.race([Promise.all(this.containers.map(({ logs }) => logs?.ended)), delay(LAST_WORDS_MS)])
      for (const { logs } of this.containers) logs?.stop()
      this.log.finish()
    }
    if (this.containers.length === 0) return
    const ports = [...plan.replicas.map(({ port }) => port), ...(this.#hasRouter() ? [plan.routerPort] : [])]
    const [taken] = await waitForFreePorts(ports, PORTS_FREE_MS)
    if (taken !== undefined) throw await portTaken(taken, 'port_not_freed', 'is in use after the engine was removed')
    await floor.regained(signal)
  }

  #hasRouter(): boolean {
    return this.containers.some(({ replica }) => replica === null)
  }

  async #askToStop(): Promise<void> {
    const { docker, order, plan, signal } = this.#options
    const left = () => this.containers.filter(({ id }) => !this.#ended.has(id)).map(({ id }) => id)
    const startMs = performance.now()
    let cancelledMs = signal.aborted ? startMs : Number.POSITIVE_INFINITY
    const cancel = () => (cancelledMs = performance.now())
    signal.addEventListener('abort', cancel, { once: true })
    try {
      if (left().length === 0) return
      await docker.call(['kill', '--signal', order.dialect.stop.signal, ...left()], { deadlineMs: ASK_MS })
      const endMs = () => Math.min(startMs + plan.stopTimeoutMs, cancelledMs + CANCELLED_GRACE_MS)
      while (left().length > 0 && performance.now() < endMs()) await delay(POLL_MS)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Without its daemon a container lives on with its first process, and ends with it. */
  async #killProcesses(): Promise<void> {
    for (const { process } of this.containers) {
      if (process !== null && (await isAlive(process))) signalQuietly(process.pid, 'SIGKILL')
    }
  }

  async #onEnd(id: string, end: ContainerEnd): Promise<void> {
    this.#ended.add(id)
    if (this.#stopping) return
    const container = this.containers.find((one) => one.id === id)
    await Promise.race([container?.logs?.ended, delay(LAST_WORDS_MS)])
    const state = await this.#options.docker.call(['inspect', '--format', '{{.State.OOMKilled}}', id], {
      deadlineMs: ASK_MS,
    })
    const isOutOfMemory = end.isOutOfMemory || (state.ok && state.stdout.trim() === 'true')
    if (end.isKilledFromOutside || isDockerGone(state)) {
      this.#happened(id, 'exit', 'host', 'was ended from outside, by a call of Docker or with its daemon')
    } else if (isOutOfMemory)
      this.#happened(id, 'out_of_memory', 'engine', 'was ended by the kernel: more memory than memory_gib')
    else this.#happened(id, 'exit', 'engine', exitText(end.exitCode))
  }

  #onDaemonGone(): void {
    for (const { id } of this.containers) {
      if (!this.#ended.has(id)) this.#happened(id, 'exit', 'host', 'is out of sight: the Docker daemon has gone')
    }
  }

  #happened(id: string, kind: EngineEvent['kind'], blames: EngineEvent['blames'], how: string): void {
    if (this.#stopping) return
    const replica = this.containers.find((one) => one.id === id)?.replica ?? null
    const last = this.log.lastLines(replica ?? ROUTER, LAST_LINES)
    const who = replica === null ? 'the router' : `replica ${replica}`
    if (!this.isReady) {
      this.died.abort(blames === 'engine' ? diedAtStart(who, how, last) : endedFromOutside(who, how))
      return
    }
    const text = endedText(who, how, last)
    const isMemory = kind === 'exit' && blames === 'engine' && saysOutOfMemory(last)
    const clockUs = this.#options.clock.nowUs()
    this.events.push({ clockUs, replica, kind: isMemory ? 'out_of_memory' : kind, blames, text })
  }
}

function exitText(code: number | null): string {
  if (code === 137) return 'was killed by SIGKILL, as the kernel does when memory runs out'
  return `ended with exit code ${code ?? 'unknown'}`
}

function startFailed(name: string, why: string): GateError {
  return new GateError({
    code: 'engine_start_failed',
    message: `the container ${name} cannot be started: ${why}`,
    hint: 'start the image by hand with docker run and the same arguments',
  })
}

function endedFromOutside(who: string, how: string): GateError {
  return new GateError({
    code: 'engine_ended_from_outside',
    message: `${who} ${how} before it was ready`,
    hint: 'see the Docker daemon’s log; nothing is known of the engine, so run again',
  })
}
