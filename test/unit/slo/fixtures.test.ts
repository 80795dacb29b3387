import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { GateError } from '../../../src/core/kernel/errors.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import { analyzeManifest } from '../../../src/core/slo/analyze.ts'
import { parseDurationSeconds, parseQueueTrend } from '../../../src/core/slo/arguments.ts'
import type { SloReport } from '../../../src/core/slo/report.ts'
import { workedExample } from './worked-example.ts'

interface Case {
  durationSeconds: string
  queueTrend: string
  expected?: Record<string, unknown>
  refused?: true
}

const folder = new URL('../../../fixtures/analyzer/', import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
const manifest = workedExample()

function statedOf(name: string): Case {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Case
}

async function judge(name: string, { durationSeconds, queueTrend }: Case): Promise<SloReport> {
  const point = { durationSeconds: parseDurationSeconds(durationSeconds), queueTrend: parseQueueTrend(queueTrend) }
  const csv = gunzipSync(readFileSync(new URL(`${name}.csv.gz`, folder)))
  return analyzeManifest(await readRequestsCsv(csv, { file: name }), manifest, point)
}

describe('the reference analyzer’s answers', () => {
  it('has every case', () => {
    expect(names).toHaveLength(62)
  })

  // No tolerance: the same operations on the same doubles in the same order give the same bits.
  it.each(names.filter((name) => !statedOf(name).refused))('%s', async (name) => {
    const stated = statedOf(name)
    expect(await judge(name, stated)).toMatchObject(stated.expected ?? {})
  })

  it.each(names.filter((name) => statedOf(name).refused))('%s', async (name) => {
    const refused = await judge(name, statedOf(name)).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(GateError)
    expect([4, 64]).toContain((refused as GateError).exitCode)
  })
})
