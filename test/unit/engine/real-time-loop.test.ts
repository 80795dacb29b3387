import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QUIET, SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import { ReplicaModel } from '../../../fixtures/engine/model/replica.ts'
import { newSequence } from '../../../fixtures/engine/model/sequence.ts'
import { RealTimeLoop } from '../../../fixtures/engine/server/real-time-loop.ts'

const parameters = {
  ...SMALL_ENGINE,
  baseUs: 10_000,
  perPrefillTokenUs: 0,
  perDecodeSequenceUs: 0,
  perContextTokenUs: 0,
}

let nowUs: number
let loop: RealTimeLoop
let log: string[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  nowUs = 0
  log = []
  loop = new RealTimeLoop(
    new ReplicaModel(parameters, QUIET, true),
    () => nowUs,
    () => undefined,
  )
})
afterEach(() => {
  vi.useRealTimers()
})

function submit(outputTokens: number) {
  const one = newSequence({ promptTokens: 4, outputTokens, blockKeys: [], arrivalUs: nowUs })
  loop.submit(one, { token: (last) => log.push(last ? 'last' : 'token'), flush: () => log.push('flush') })
  return one
}

/** Lets the clock run on by so much, and the timers after it. */
function pass(ms: number): string[] {
  nowUs += ms * 1000
  vi.advanceTimersByTime(ms)
  return log.splice(0)
}

test('gives nothing before it is due, and a late timer all that is due with one flush', () => {
  submit(4)
  expect(pass(9)).toEqual([])
  expect(pass(1)).toEqual(['token', 'flush'])
  nowUs += 25_000
  vi.advanceTimersByTime(10)
  expect(log.splice(0)).toEqual(['token', 'token', 'flush'])
  // Lateness does not add up: the fourth is due at 40 ms, of which 35 have passed.
  expect(pass(5)).toEqual(['last', 'flush'])
  expect(loop.model.running).toBe(0)
})

test('a stall holds everything back for its length, and no token is lost', () => {
  submit(3)
  pass(10)
  loop.stall(0.5)
  expect(pass(490)).toEqual([])
  expect(pass(20)).toEqual(['token', 'flush'])
  expect(pass(20)).toEqual(['last', 'flush'])
})

test('a stall holds back a request that comes to an idle engine', () => {
  loop.stall(0.5)
  pass(100)
  submit(1)
  expect(pass(400)).toEqual([])
  expect(pass(10)).toEqual(['last', 'flush'])
})

test('who was aborted hears nothing more, and the engine runs on for the others', () => {
  const left = submit(10)
  const stays = submit(2)
  pass(10)
  loop.abort(left)
  pass(20)
  expect([left.state, stays.state]).toEqual(['aborted', 'finished'])
  expect(pass(100)).toEqual([])
})

test('nothing runs after a stop', () => {
  submit(5)
  pass(10)
  loop.stop()
  expect(pass(1000)).toEqual([])
})
