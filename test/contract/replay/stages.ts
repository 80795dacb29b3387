import { createReplay } from '../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { EngineConnection } from '../../../src/adapters/system/engine-connection.ts'
import { PLAIN_CONNECTION } from '../../../src/adapters/system/engine-connection.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import type { Replica } from '../../../src/app/ports/engine.ts'
import type { Replay } from '../../../src/app/ports/replay.ts'
import { fakeClock } from '../../fakes/clock.ts'
import type { FakeAnswer } from '../../fakes/fake-answer.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import { startProxyServer } from './proxy-server.ts'
import { testShape } from './shape.ts'
import { head, respondStepwise, respondWell, startStreamServer } from './stream-server.ts'
import type { Respond } from './stream-server.ts'

/**
 * What a request meets. `slow`: the answer takes 150 ms. `stepwise`: its tokens come one at a time. `silent`: nothing, until the
 * first-token deadline, which is a second in the shape `impatient`. `too_long`: the prompt is refused, with a reason.
 */
type Behaviour = 'ok' | 'slow' | 'stepwise' | 'http_500' | 'http_503' | 'silent' | 'too_long'

export const impatient = testShape({ client: { first_token_timeout_seconds: 1 } })

/** The reason that `too_long` is given. */
export const TOO_LONG = 'This model has room for 16 tokens. However, you asked for 24.'

/** A load generator, and engines that behave as a test says. */
export interface Stage extends AsyncDisposable {
  replay: Replay
  clock: Clock
  targets: Replica[]
}

export type MakeStage = (replicas: number, behave?: (id: string) => Behaviour) => Promise<Stage>

const responses: Record<Behaviour, Respond> = {
  ok: respondWell,
  slow: (asked, response) => void setTimeout(() => respondWell(asked, response), 150),
  stepwise: (asked, response) => respondStepwise(asked, response),
  too_long: (_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: TOO_LONG, type: 'BadRequestError', code: 400 } }))
  },
  http_500: (_, response) => void response.writeHead(500, { 'content-type': 'application/json' }).end('{}'),
  http_503: (_, response) => void response.writeHead(503, { 'content-type': 'application/json' }).end('{}'),
  silent: (_, response) => {
    head(response)
    response.flushHeaders()
  },
}

async function realStage(
  replicas: number,
  behave: (id: string) => Behaviour = () => 'ok',
  connection: EngineConnection = PLAIN_CONNECTION,
): Promise<Stage> {
  const servers = await Promise.all(
    Array.from({ length: replicas }, () =>
      startStreamServer((asked, response) => responses[behave(asked.id)](asked, response)),
    ),
  )
  const clock = systemClock()
  return {
    replay: createReplay(clock, connection),
    clock,
    targets: servers.map(({ url }, index) => ({ index, url })),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
    },
  }
}

/** undici is asked for by a proxy. */
async function proxiedStage(replicas: number, behave?: (id: string) => Behaviour): Promise<Stage> {
  const proxy = await startProxyServer()
  const stage = await realStage(replicas, behave, { ...PLAIN_CONNECTION, proxy: proxy.url })
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

const answers: Record<Behaviour, FakeAnswer> = {
  ok: {},
  slow: { ttftUs: 150_000 },
  stepwise: { tpotUs: 5000 },
  too_long: { status: 'error', errorCode: 'http_status', httpStatus: 400, refusal: TOO_LONG },
  http_500: { status: 'error', errorCode: 'http_status', httpStatus: 500 },
  http_503: { status: 'rejected', errorCode: 'http_status', httpStatus: 503 },
  silent: { status: 'timeout', errorCode: 'first_token_deadline', httpStatus: 200, ttftUs: 1_000_000 },
}

async function fakeStage(replicas: number, behave: (id: string) => Behaviour = () => 'ok'): Promise<Stage> {
  const clock = fakeClock({ mode: 'auto' })
  return {
    replay: fakeReplay({ clock, answer: (row) => answers[behave(row.id)] }),
    clock,
    targets: Array.from({ length: replicas }, (_, index) => ({ index, url: `http://127.0.0.1:${index + 1}` })),
    async [Symbol.asyncDispose]() {},
  }
}

export const stages: [string, MakeStage][] = [
  ['the load generator over sockets of its own', realStage],
  ['the load generator over undici', proxiedStage],
  ['the fake load generator', fakeStage],
]
