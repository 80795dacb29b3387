import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { keepInterrupted, pathsOf } from '../../../src/app/point/files.ts'
import { replayPoint } from '../../../src/app/replay-point.ts'
import type { ChunkSeries } from '../../../src/core/record/gaps.ts'
import { decodeGaps } from '../../../src/core/record/gaps.ts'
import { fakePack } from '../../fakes/pack.ts'
import { manifestText, smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const FOLDER = 'points/cold-open-40000-r1'
const key = { cache: 'cold', load: { openMilliRps: 40_000 }, repeat: 1 } as const

async function replayed(client: Record<string, unknown>) {
  const pack = fakePack()
  const manifest = smallExample({ client })
  const { effects } = virtualWorld({ subject: smallSubject(), pack })
  const request = { manifest, manifestText: manifestText(manifest), key }
  await replayPoint(effects, request, new AbortController().signal)
  return pack
}

test('every gap is kept where the manifest asks for it, and adds up to the histograms', async () => {
  const pack = await replayed({ raw_gaps: true })
  const bytes = await pack.read(`${FOLDER}/gaps.jsonl.gz`)
  const lines = gunzipSync(bytes ?? Buffer.alloc(0))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChunkSeries & { id: string })
  const requests = pack.text(`${FOLDER}/requests.csv`)?.trimEnd().split('\n').slice(1) ?? []
  expect(lines.map(({ id }) => id).toSorted()).toEqual(requests.map((line) => line.split(',')[0]).toSorted())
  const classes = [...decodeGaps(pack.text(`${FOLDER}/gaps.json`) ?? '').values()]
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  expect(sum(lines.map(({ gapsUs }) => gapsUs.length))).toBe(sum(classes.map(({ gaps }) => gaps.count)))
  expect(sum(lines.map(({ gapsUs }) => sum(gapsUs)))).toBe(sum(classes.map(({ gaps }) => gaps.sumUs)))
  expect(sum(lines.map(({ tokensPerChunk }) => sum(tokensPerChunk)))).toBe(
    sum(classes.map(({ tokens }) => tokens.tokens)),
  )
  expect(lines.every(({ gapsUs, tokensPerChunk }) => gapsUs.length === tokensPerChunk.length - 1)).toBe(true)
  expect(await pack.read(`${FOLDER}/gaps.jsonl`)).toBeNull()
  expect(pack.text('SHA256SUMS')).toContain(`${FOLDER}/gaps.jsonl.gz`)
})

test('those of a point that was interrupted do not come back', async () => {
  const pack = fakePack()
  const paths = pathsOf('cold-open-40000-r1')
  for (const path of [paths.journal, paths.rawGaps]) await pack.write(path, '{"id":"old"}\n')
  await keepInterrupted(pack, paths)
  expect(await pack.list('.')).toEqual([`${FOLDER}/interrupted-1.jsonl`])
})

test('none is kept unasked', async () => {
  const pack = await replayed({})
  expect((await pack.list(FOLDER)).filter((path) => path.includes('gaps'))).toEqual([`${FOLDER}/gaps.json`])
})
