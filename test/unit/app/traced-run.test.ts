import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { fakeSources } from '../../fakes/sources.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'

const SHORT = [128, 16] as const
/** In the proportions of the manifest's classes. */
const LENGTHS = [SHORT, [512, 12], [96, 64], [512, 16], ...Array.from({ length: 6 }, () => SHORT)] as const
const TRACE = Array.from({ length: 700 }, (_, index) => {
  const [input_length, output_length] = LENGTHS[index % 10] ?? SHORT
  return `${JSON.stringify({ timestamp: index * 40 + (index % 7) * 5, input_length, output_length, hash_ids: [] })}\n`
}).join('')
const FILE = 'traces/a.jsonl'
const manifest = smallExample({
  client: {
    arrival_pattern: 'trace',
    trace: { file: FILE, sha256: createHash('sha256').update(TRACE).digest('hex'), format: 'mooncake' },
  },
  sweep: { rates_rps: [20, 40], repeats: 1, refine_step: 0 },
})

describe('a run of a trace', async () => {
  const { record, world } = await runVirtually({
    manifest,
    subject: smallSubject(),
    files: { [FILE]: TRACE },
    request: { caches: ['cold'] },
  })
  const { pack } = world.effects

  test('measures the trace’s own requests', async () => {
    const stored = parseSchedule((await pack.readGzip('schedules/cold.jsonl.gz')) ?? '')
    expect(stored.sha256).toBe(record.schedules.cold)
    expect(stored.rows.slice(0, 3).map((row) => [row.class, row.inputTokens, row.outputTokens])).toEqual([
      ['interactive', 128, 16],
      ['long_context', 512, 12],
      ['generation_heavy', 96, 64],
    ])
    const [point] = record.capacity[0]?.points ?? []
    expect(point?.outcome).toBe('pass')
    expect(point?.slo).toMatchObject({ attempted: 600, successful: 600, output_tokens: 60 * (7 * 16 + 12 + 16 + 64) })
  })

  test('is verified whole where the trace is at hand', async () => {
    const verified = await verifyPack(pack, fakeSources({ [FILE]: TRACE }))
    expect(verified).toMatchObject({ discrepancies: [], unverified: [], points: 2 })
  })

  test('is verified but for the schedule where it is not, or is another', async () => {
    const without = await verifyPack(pack)
    expect(without).toMatchObject({ discrepancies: [], points: 2 })
    expect(without.unverified).toEqual([
      {
        code: 'schedule',
        path: 'schedules/cold.jsonl.gz',
        text: `was not built again, and is taken as it stands: ${FILE} is not at hand`,
      },
    ])
    const other = await verifyPack(pack, fakeSources({ [FILE]: TRACE.slice(1) }))
    expect(other.discrepancies).toEqual([])
    expect(other.unverified[0]?.text).toContain('SHA-256')
  })

  test('of another seed than the manifest’s is found without the trace', async () => {
    const path = 'schedules/cold.jsonl.gz'
    const bytes = (await pack.readGzip(path)) ?? new Uint8Array()
    await pack.writeGzip(path, new TextDecoder().decode(bytes).replace(/"seed":\d+/, '"seed":1'))
    const { discrepancies } = await verifyPack(pack)
    expect(discrepancies.map(({ code }) => code)).toContain('schedule')
    await pack.writeGzip(path, bytes)
  })
})

test('a run whose trace is not the manifest’s ends before anything is deployed', async () => {
  const run = runVirtually({ manifest, subject: smallSubject(), files: { [FILE]: `${TRACE}x` } })
  await expect(run).rejects.toMatchObject({ code: 'source_digest', exitCode: 4 })
})
