import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { pacingEvidence } from '../../../../src/core/telemetry/client-pacing.ts'
import { readTimeline } from '../../../../src/core/telemetry/timeline.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import type { Respond } from '../../../contract/replay/stream-server.ts'
import { head, respondWell, startStreamServer, tokenChunk } from '../../../contract/replay/stream-server.ts'
import { never, orderOn, watch } from '../../../contract/replay/watch.ts'

const clock = systemClock()

/** Twelve requests at one endpoint: what became of each. */
async function measured(url: string, client: Record<string, unknown> = {}) {
  const shape = testShape({ client })
  const rows = testRows(12)
  const order = orderOn({ clock, targets: [{ index: 0, url }] }, { shape, blocks: [rows] })
  const seen = watch()
  const outcome = await createReplay(clock).run(order, seen, never)
  expect(seen.records.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id))
  expect(outcome).toMatchObject({ cohortRequests: 12, stoppedEarly: null })
  const endings = seen.records.map(({ status, errorCode }) => `${status} ${errorCode}`)
  return { order, outcome, seen, endings: new Set(endings) }
}

it('ends every request by its deadline where an endpoint takes connections and never answers', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.pause())
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { endings, seen } = await measured(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    request_timeout_seconds: 1,
  })
  expect(endings).toEqual(new Set(['timeout whole_deadline']))
  expect(seen.records.every(({ sentUs, httpStatus }) => sentUs !== null && httpStatus === null)).toBe(true)
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

it('ends every request by its deadline where the answer is only begun', async () => {
  await using server = await startStreamServer((_, response) => {
    head(response)
    response.write(tokenChunk())
  })
  const { endings } = await measured(server.url, { stall_timeout_seconds: 0.3 })
  expect(endings).toEqual(new Set(['timeout stall_deadline']))
})

/** Writes for as long as anybody reads. */
const flood =
  (text: string): Respond =>
  (_, response) => {
    head(response)
    const pour = (): void => {
      while (!response.destroyed && response.write(text));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  }

it('lets an endless answer spoil no other, and ends it by its deadline', async () => {
  const endless = flood(': still here\n\n'.repeat(1000))
  await using server = await startStreamServer((asked, response) =>
    asked.id === 'r-00002' ? endless(asked, response) : respondWell(asked, response),
  )
  const { seen } = await measured(server.url, { request_timeout_seconds: 4 })
  const endings = Object.groupBy(seen.records, ({ errorCode }) => errorCode ?? 'none')
  expect(endings['whole_deadline']?.map(({ id }) => id)).toEqual(['r-00002'])
  expect(endings['none']).toHaveLength(11)
})

it('takes an event without an end for a malformed one, long before it has filled the memory', async () => {
  await using server = await startStreamServer(flood(`data: ${'x'.repeat(64 * 1024)}`))
  const { endings } = await measured(server.url)
  expect(endings).toEqual(new Set(['error malformed_event']))
})

it('blames the client for a host name without an address, so that the point is invalid', async () => {
  const { order, outcome, seen, endings } = await measured('http://engine.invalid:8000')
  expect(endings).toEqual(new Set(['error name_not_resolved']))
  const evidence = pacingEvidence({
    manifest: order.shape.manifest,
    schedule: { header: order.shape.header, rows: order.blocks.flat(), sha256: '' },
    facts: { ...outcome, key: { load: order.load }, replicas: 1 } as never,
    records: seen.records,
    timeline: readTimeline(seen.samples, 1),
  })
  const resources = evidence.find(({ probe }) => probe === 'client.resources')
  expect(resources).toMatchObject({ state: 'fail', blames: 'client', value: 12 })
})
