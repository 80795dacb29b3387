import { createReplay } from '../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import type { Replica } from '../../../src/app/ports/engine.ts'
import type { Replay } from '../../../src/app/ports/replay.ts'
import { fakeClock } from '../../fakes/clock.ts'
import type { FakeAnswer } from '../../fakes/replay.ts'
import { fakeReplay } from '../../fakes/replay.ts'
import { head, respondWell, startStreamServer } from './stream-server.ts'
import type { Respond } from './stream-server.ts'

/** What a request meets. `slow`: the answer takes 150 ms. `silent`: nothing, until the first-token deadline of a second. */
type Behaviour = 'ok' | 'slow' | 'http_500' | 'http_503' | 'silent'

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
  http_500: (_, response) => void response.writeHead(500, { 'content-type': 'application/json' }).end('{}'),
  http_503: (_, response) => void response.writeHead(503, { 'content-type': 'application/json' }).end('{}'),
  silent: (_, response) => {
    head(response)
    response.flushHeaders()
  },
}

async function realStage(replicas: number, behave: (id: string) => Behaviour = () => 'ok'): Promise<Stage> {
  const servers = await Promise.all(
    Array.from({ length: replicas }, () =>
      startStreamServer((asked, response) => responses[behave(asked.id)](asked, response)),
    ),
  )
  const clock = systemClock()
  return {
    replay: createReplay(clock),
    clock,
    targets: servers.map(({ url }, index) => ({ index, url })),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
    },
  }
}

const answers: Record<Behaviour, FakeAnswer> = {
  ok: {},
  slow: { ttftUs: 150_000 },
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
  ['the load generator over HTTP', realStage],
  ['the fake load generator', fakeStage],
]
