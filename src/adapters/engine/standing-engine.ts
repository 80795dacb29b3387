import type { Clock } from '../../app/ports/clock.ts'
import type { DeployOrder, EngineEvent, Owned } from '../../app/ports/engine.ts'
import { GateError } from '../../core/kernel/errors.ts'
import { fileError, systemErrorCode } from '../system/file-errors.ts'
import { familyMembers, stopFamily } from '../system/process-family.ts'
import type { Family } from '../system/process-family.ts'
import { spawnGroup } from '../system/process-group.ts'
import type { ProcessEnd, ProcessGroup } from '../system/process-group.ts'
import { ownIdentity } from '../system/process-table.ts'
import type { ProcessIdentity } from '../system/process-table.ts'
import { waitForFreePorts } from '../system/tcp-ports.ts'
import { diedAtStart, endedText, LAST_LINES, saysOutOfMemory } from './engine-end.ts'
import { engineLog } from './engine-log.ts'
import type { EngineLog } from './engine-log.ts'
import type { MemoryFloor } from './gpu-memory.ts'
import type { LaunchPlan, ReplicaLaunch } from './launch-plan.ts'
import { DEPLOY_MARK, OWNER_MARK, ownerMark } from './leftovers.ts'
import { registerDeployment } from './live-registry.ts'
import type { RegistryFile } from './live-registry.ts'
import { portTaken } from './port-taken.ts'

export interface StandingOptions {
  order: DeployOrder
  plan: LaunchPlan
  clock: Clock
  cwd: string
  stateParent: string | undefined
  /** The run's own: once it is aborted, stopping has to be quick. */
  signal: AbortSignal
  floor: MemoryFloor
}

/** A cancelled job has ten seconds in all. */
const CANCELLED_GRACE_MS = 4000
const PORTS_FREE_MS = 5000

/** The processes of one deployment, from before the first is started until nothing of them is left. */
export class StandingEngine implements AsyncDisposable {
  readonly log: EngineLog
  readonly groups: ProcessGroup[] = []
  readonly events: EngineEvent[] = []
  /** Aborted with GateError `engine_died_at_start` when a replica ends before `isReady` is set. */
  readonly died = new AbortController()
  isReady = false
  readonly #options: StandingOptions
  readonly #registry: RegistryFile
  readonly #marks: Record<string, string>
  readonly #known: ProcessIdentity[] = []
  #stopping: Promise<void> | null = null

  private constructor(options: StandingOptions, registry: RegistryFile, marks: Record<string, string>) {
    this.#options = options
    this.#registry = registry
    this.#marks = marks
    this.log = engineLog(options.order.log, options.plan.secrets)
  }

  /** Writes the deployment down; nothing is started yet. */
  static async register(options: StandingOptions): Promise<StandingEngine> {
    const { deployId } = options.order
    const ports = options.plan.replicas.map((replica) => replica.port)
    const { stateParent } = options
    const marks = { [DEPLOY_MARK]: deployId, [OWNER_MARK]: ownerMark(await ownIdentity(), stateParent) }
    return new StandingEngine(options, await registerDeployment(deployId, ports, stateParent), marks)
  }

  /** Starts one replica. Throws GateError `engine_start_failed` where the program cannot be started. */
  async start(launch: ReplicaLaunch): Promise<void> {
    const { plan, cwd } = this.#options
    try {
      const group = await spawnGroup({
        argv: launch.argv,
        cwd,
        environment: { ...plan.environment, ...visibleGpus(launch), ...this.#marks },
        mark: OWNER_MARK,
        onOutput: (chunk, stream) => this.log.take(launch.index, chunk, stream),
      })
      this.groups.push(group)
      this.#known.push({ pid: group.pid, started: group.started })
      void group.ended.then((end) => this.#ended(launch.index, end))
      await this.#registry.add(group)
    } catch (error) {
      throw startFailed(launch, error)
    }
  }

  /** Remembers and writes down whom it finds: a worker may leave its session, its environment and its parent behind, one after the other. */
  async owned(): Promise<Owned> {
    const members = await familyMembers(this.#family())
    const isNew = ({ pid, started }: ProcessIdentity) =>
      !this.#known.some((one) => one.pid === pid && one.started === started)
    const found = members.filter(isNew)
    this.#known.push(...found)
    if (this.#stopping === null) await Promise.all(found.map((member) => this.#registry.add(member)))
    return { pids: members.map(({ pid }) => pid), containers: [] }
  }

  #family(): Family {
    return { leaders: this.groups.map((group) => group.pid), marks: this.#marks, known: this.#known }
  }

  /** Any replica's will do: a server that holds them all has one process before them. */
  async owns(_replica: number, pid: number): Promise<boolean> {
    return (await this.owned()).pids.includes(pid)
  }

  /** Asks all to stop, then kills what still runs, then waits for the ports. Once, however often it is called. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const { order, plan, signal } = this.#options
    const startMs = performance.now()
    let cancelledMs = signal.aborted ? startMs : Number.POSITIVE_INFINITY
    const cancel = () => (cancelledMs = performance.now())
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const graceLeftMs = () =>
        Math.min(startMs + plan.stopTimeoutMs, cancelledMs + CANCELLED_GRACE_MS) - performance.now()
      await stopFamily(this.#family(), { signal: order.dialect.stop.signal, graceLeftMs })
    } finally {
      signal.removeEventListener('abort', cancel)
      for (const group of this.groups) group.forget()
      this.log.finish()
    }
    if (this.groups.length > 0) await this.#waitForPorts()
    await this.#registry.remove()
    await this.#options.floor.regained(signal)
  }

  async #waitForPorts(): Promise<void> {
    const ports = this.#options.plan.replicas.map((replica) => replica.port)
    const [taken] = await waitForFreePorts(ports, PORTS_FREE_MS)
    if (taken !== undefined)
      throw await portTaken(taken, 'port_not_freed', 'is still in use after the engine was removed')
  }

  #ended(replica: number, end: ProcessEnd): void {
    if (this.#stopping) return
    const how = endText(end)
    const last = this.log.lastLines(replica, LAST_LINES)
    if (!this.isReady) {
      this.died.abort(diedAtStart(`replica ${replica}`, how, last))
      return
    }
    const kind = saysOutOfMemory(last) ? 'out_of_memory' : 'exit'
    const text = endedText(`replica ${replica}`, how, last)
    this.events.push({ clockUs: this.#options.clock.nowUs(), replica, kind, blames: 'engine', text })
  }
}

function visibleGpus({ gpus }: ReplicaLaunch): Record<string, string> {
  return gpus.length > 0 ? { CUDA_VISIBLE_DEVICES: gpus.join(',') } : {}
}

function endText({ code, signal }: ProcessEnd): string {
  if (signal === 'SIGKILL') return 'was killed by SIGKILL, as the kernel does when memory runs out'
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
}

function startFailed(launch: ReplicaLaunch, error: unknown): GateError {
  if (error instanceof GateError) return error
  const program = launch.argv[0] ?? ''
  const reason = systemErrorCode(error) === null ? String(error) : fileError(error, 'start', program).message
  return new GateError({
    code: 'engine_start_failed',
    message: `replica ${launch.index} cannot be started: ${reason}`,
    hint: 'check engine.deploy.argv and the current folder; no shell is used',
    cause: error,
  })
}
