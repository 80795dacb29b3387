import type { Replica } from '../../app/ports/engine.ts'
import type { RequestShape } from '../../app/ports/replay.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import type { SecretMask } from '../system/secret-mask.ts'
import type { Ending } from './ending.ts'
import { Exchange } from './exchange.ts'
import type { Deadlines } from './exchange.ts'
import { requestHeaders, requestPath } from './request-body.ts'
import type { Transport, WireHandler } from './transport.ts'

const SWEEP_MS = 25

export interface Launch {
  row: ScheduleRow
  /** Index of the target that it is sent to. */
  replica: number
  /** The ids that are answered are needed. */
  keepsReply: boolean
  /** Stands between the wire and the exchange. */
  wrap?(exchange: WireHandler): WireHandler
  /** Throws what makes the body impossible. */
  body(): Buffer
  onSent(): void
  /** Called once, with the replica it was sent to. */
  onEnd(ending: Ending, replica: Replica): void
}

/** Requests in the air: sends each to its replica, watches the deadlines, and says when all have ended. */
export class Flight implements Disposable {
  readonly #shape: RequestShape
  readonly #targets: readonly Replica[]
  readonly #transport: Transport
  readonly #nowUs: () => number
  readonly #secrets: SecretMask
  readonly #deadlines: Deadlines
  /** Not closed: in flight, or ended with a connection that is not free yet. */
  readonly #open = new Set<Exchange>()
  readonly #sweeper: NodeJS.Timeout
  #launched = 0
  #sent = 0
  #ended = 0
  #endedUnsent = 0
  #failure: { error: unknown } | null = null
  #onLanded: PromiseWithResolvers<void>[] = []

  /** `nowUs` is the clock of every time in the endings; of what an engine says in them, `secrets` are taken out. */
  constructor(
    shape: RequestShape,
    targets: readonly Replica[],
    transport: Transport,
    nowUs: () => number,
    secrets: SecretMask,
  ) {
    this.#shape = shape
    this.#targets = targets
    this.#transport = transport
    this.#nowUs = nowUs
    this.#secrets = secrets
    this.#deadlines = deadlinesOf(shape)
    // After the reads of the same loop turn: what came in time is not taken for late because the loop was.
    this.#sweeper = setInterval(() => setImmediate(() => this.#sweep()), SWEEP_MS)
  }

  /** Launched, and neither written to a socket nor ended. */
  get unsent(): number {
    return this.#launched - this.#sent - this.#endedUnsent
  }

  /** Written to a socket, and not ended. */
  get inFlight(): number {
    return this.#sent - (this.#ended - this.#endedUnsent)
  }

  launch({ row, replica, keepsReply, wrap, body, onSent, onEnd }: Launch): void {
    const target = this.#targets[replica]
    if (!target) throw new RangeError(`no replica ${replica}`)
    this.#launched += 1
    const exchange: Exchange = new Exchange({
      expected: {
        shape: this.#shape.manifest.client.endpoint,
        outputTokens: row.outputTokens,
        inputTokens: row.inputTokens,
        continuousUsage: this.#shape.dialect.request.continuousUsage !== null,
        keepTokenIds: keepsReply,
      },
      deadlines: this.#deadlines,
      cancelAfterTokens: row.cancelAfterTokens ?? null,
      nowUs: this.#nowUs,
      onSent: () => {
        this.#sent += 1
        onSent()
      },
      onEnd: (ending) => {
        this.#ended += 1
        if (ending.sentUs === null) this.#endedUnsent += 1
        const reason = ending.finishReason
        try {
          onEnd(reason === null ? ending : { ...ending, finishReason: this.#secrets.maskCut(reason) }, target)
        } catch (error) {
          // No record may be lost in silence, and nobody between here and the socket could tell.
          this.#failure ??= { error }
        }
        this.#land()
      },
      onClosed: () => void this.#open.delete(exchange),
    })
    this.#open.add(exchange)
    try {
      const path = requestPath(this.#shape)
      const request = { path, headers: requestHeaders(this.#shape, row), body: body() }
      this.#transport.dispatch(replica, request, wrap?.(exchange) ?? exchange)
      exchange.noteHanded()
    } catch {
      exchange.fail(UNBUILT)
    }
  }

  /** Resolves when nothing that was launched is without an ending, or all was abandoned. Rejects with what an `onEnd` threw. */
  landed(): Promise<void> {
    const landed = Promise.withResolvers<void>()
    this.#onLanded.push(landed)
    this.#land()
    return landed.promise
  }

  /** Leaves every connection; what has not ended never does. */
  abandon(): void {
    for (const exchange of this.#open) exchange.abandon()
    this.#ended = this.#launched
    this.#land()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper)
  }

  #sweep(): void {
    const nowUs = this.#nowUs()
    for (const exchange of this.#open) exchange.checkDeadlines(nowUs)
  }

  #land(): void {
    if (this.#ended < this.#launched) return
    for (const { resolve, reject } of this.#onLanded.splice(0)) {
      if (this.#failure) reject(this.#failure.error)
      else resolve()
    }
  }
}

/** A request that could not be made or handed over: ours, not the engine's. */
const UNBUILT: ErrorCode = 'client_resource'

function deadlinesOf({ manifest }: RequestShape): Deadlines {
  const { client } = manifest
  const optionalUs = (seconds: number | undefined) => (seconds === undefined ? null : Math.round(seconds * 1e6))
  return {
    wholeUs: Math.round(client.request_timeout_seconds * 1e6),
    firstTokenUs: optionalUs(client.first_token_timeout_seconds),
    stallUs: optionalUs(client.stall_timeout_seconds),
  }
}
