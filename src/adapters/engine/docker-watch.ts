import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Docker, DockerFollowing } from './docker-program.ts'

/** How a container ended without our asking. */
export interface ContainerEnd {
  exitCode: number | null
  /** The kernel ended a process of it because it had more memory than it may. */
  isOutOfMemory: boolean
  /** Docker was told to end it, by somebody else or by the daemon's own end. */
  isKilledFromOutside: boolean
}

export interface ContainerWatch {
  stop(): void
}

export interface WatchOrder {
  docker: Docker
  /** `NAME=VALUE` of labels that all of them carry, and nobody else's together. */
  labels: readonly string[]
  onEnd(id: string, end: ContainerEnd): void
  /** A process was ended for its memory; the container itself may go on. */
  onOutOfMemory(id: string): void
  /** The daemon has gone, and whatever becomes of its containers is not seen any more. */
  onDaemonGone(): void
}

const eventSchema = z.object({
  Action: z.string(),
  time: z.number(),
  Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()).default({}) }),
})
type DockerEvent = z.infer<typeof eventSchema>

const ASK_AGAIN_MS = 500
const ASK_FOR_MS = 3000

/**
 * Follows the daemon's events of the labelled containers from now on. A container that dies by itself dies without a `kill` before:
 * so an engine is not blamed for what somebody else ended.
 */
export function watchContainers(order: WatchOrder): ContainerWatch {
  return new EventWatch(order)
}

class EventWatch implements ContainerWatch {
  readonly #order: WatchOrder
  readonly #killed = new Set<string>()
  readonly #outOfMemory = new Set<string>()
  readonly #seen = new Set<string>()
  #sinceSeconds = Math.floor(Date.now() / 1000)
  #isStopped = false
  #following: DockerFollowing

  constructor(order: WatchOrder) {
    this.#order = order
    this.#following = this.#follow()
  }

  stop(): void {
    this.#isStopped = true
    this.#following.stop()
  }

  #follow(): DockerFollowing {
    const filters = [...this.#order.labels.map((label) => `label=${label}`), 'event=kill', 'event=oom', 'event=die']
    const args = ['events', '--since', String(this.#sinceSeconds), ...filters.flatMap((filter) => ['--filter', filter])]
    let open = ''
    const started = this.#order.docker.follow([...args, '--format', '{{json .}}'], (chunk, stream) => {
      if (stream === 'stderr') return
      const lines = (open + chunk.toString('utf8')).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) this.#take(line)
    })
    void started.ended.then(() => this.#goOn())
    return started
  }

  #take(line: string): void {
    const event = parseEvent(line)
    // Followed anew, the daemon tells the last second's events again.
    if (event === null || this.#seen.has(line)) return
    this.#seen.add(line)
    this.#sinceSeconds = Math.floor(event.time)
    const { ID: id, Attributes } = event.Actor
    if (event.Action === 'kill') this.#killed.add(id)
    if (event.Action === 'oom' && !this.#outOfMemory.has(id)) {
      this.#outOfMemory.add(id)
      this.#order.onOutOfMemory(id)
    }
    if (event.Action !== 'die') return
    const exitCode = /^\d+$/.test(Attributes['exitCode'] ?? '') ? Number(Attributes['exitCode']) : null
    const isOutOfMemory = this.#outOfMemory.has(id)
    this.#order.onEnd(id, { exitCode, isOutOfMemory, isKilledFromOutside: this.#killed.has(id) })
  }

  /** The daemon may have been restarted under containers that live on. */
  async #goOn(): Promise<void> {
    for (let askedMs = 0; !this.#isStopped && askedMs < ASK_FOR_MS; askedMs += ASK_AGAIN_MS) {
      const answer = await this.#order.docker.call(['version', '--format', '{{.Server.Version}}'], { deadlineMs: 2000 })
      if (this.#isStopped) return
      if (answer.ok) {
        this.#following = this.#follow()
        return
      }
      await delay(ASK_AGAIN_MS)
    }
    if (!this.#isStopped) this.#order.onDaemonGone()
  }
}

function parseEvent(line: string): DockerEvent | null {
  try {
    return eventSchema.parse(JSON.parse(line))
  } catch {
    return null
  }
}
