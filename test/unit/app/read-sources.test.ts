import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readSources } from '../../../src/app/read-sources.ts'
import { fakeSources } from '../../fakes/sources.ts'
import { smallExample } from '../../virtual/virtual-manifest.ts'

const digestOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const line = (timestamp: number, input_length = 100) =>
  JSON.stringify({ timestamp, input_length, output_length: 16, hash_ids: [1, 2] })
const lines = (count: number) => Array.from({ length: count }, (_, index) => `${line(index * 50)}\n`).join('')

const traced = (bytes: string | Uint8Array, sha256 = digestOf(bytes)) => {
  const trace = { file: 'traces/a.jsonl', sha256, format: 'mooncake' }
  const manifest = smallExample({ client: { arrival_pattern: 'trace', trace, extension_requests: 0 } })
  return readSources(fakeSources({ 'traces/a.jsonl': bytes }), manifest)
}

describe('a trace', () => {
  test('is read as far as the schedule needs, whole for its digest, and without its blocks', async () => {
    const { trace } = await traced(lines(1000))
    expect(trace).toHaveLength(600)
    expect(trace?.[1]).toEqual({
      atUs: 50_000,
      inputTokens: 100,
      outputTokens: 16,
      class: null,
      session: null,
      blocks: null,
      line: 2,
    })
    expect((await traced(lines(10))).trace).toHaveLength(10)
  })

  test('may be compressed: the digest is the file’s own', async () => {
    expect((await traced(gzipSync(lines(700)))).trace).toHaveLength(600)
  })

  test('of another digest is refused, and nothing of what it holds is told', async () => {
    const secret = 'token = hunter2\n'
    const error = (await traced(secret, digestOf('else')).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'source_digest', exitCode: 4 })
    expect(error.message).toContain(digestOf(secret))
    expect(error.message).not.toContain('hunter2')
  })

  test('is refused for what it holds where the digest is right, also behind the rows that are needed', async () => {
    await expect(traced(`${lines(20)}{"timestamp":\n`)).rejects.toMatchObject({ code: 'trace_row' })
    expect((await traced(`${lines(600)}nothing\n`)).trace).toHaveLength(600)
  })
})

test('texts are parsed for the workload’s classes', async () => {
  const text = 'one\n\ntwo\n'
  const dataset = { file: 'texts.txt', sha256: digestOf(text), format: 'text' }
  const read = (content: string) =>
    readSources(fakeSources({ 'texts.txt': content }), smallExample({ client: { prompt: 'text', dataset } }))
  expect(await read(text)).toEqual({ dataset: { sha256: digestOf(text), texts: ['one', 'two'], classes: null } })
  await expect(read('another')).rejects.toMatchObject({ code: 'source_digest' })
})

test('nothing is opened where the manifest names nothing', async () => {
  const sources = { open: () => expect.unreachable() }
  expect(await readSources(sources, smallExample())).toEqual({})
})
