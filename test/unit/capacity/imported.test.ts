import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importedPoint, importedResult } from '../../../src/core/capacity/imported.ts'
import { judgePoint } from '../../../src/core/capacity/point.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { readManifest } from '../../../src/core/manifest/read.ts'
import { encodeRequestsCsv } from '../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import { manifestOf, syntheticPoint } from './synthetic-point.ts'

const path = join(import.meta.dirname, '../../../fixtures/imports/workload-manifest.yaml')
const { manifest } = readManifest(readFileSync(path, 'utf8'), { level: 'valid' })
const key = { cache: 'cold', load: { openMilliRps: 4000 }, repeat: 1 } as const
const GOOD = ['chat,50,10,80,4,ok', 'chat,50,10,80,4,ok', 'summary,300,20,340,3,ok', 'summary,300,20,340,3,ok']

async function pointOf(rows: readonly string[]) {
  if (manifest === null) throw new Error('the sample manifest is not valid')
  const head = 'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status,origin'
  const table = await readRequestsCsv([head, ...rows.map((row, i) => `i-${i},${row},aiperf`)].join('\n'))
  return importedPoint({ manifest, table, key, cohortSha256: 'a'.repeat(64), cohortSeconds: 3, arrivalSeconds: null })
}

it.each([
  ['that meets everything', GOOD, 'unknown', ['queue_unknown']],
  [
    'that misses its cutoffs',
    GOOD.map((row) => row.replace('80,', '680,').replace(',50,', ',650,')),
    'unknown',
    ['class_attainment'],
  ],
  ['whose requests failed', [...GOOD, 'chat,0,0,0,0,error'], 'unknown', ['error_rate']],
  ['that is short of its samples', GOOD.slice(1), 'undersampled', ['undersampled']],
] as const)('a cohort %s neither passes nor fails: it may be the client’s doing', async (_, rows, outcome, codes) => {
  const point = await pointOf(rows)
  expect(point.outcome).toBe(outcome)
  expect(point.reasons.map(({ code }) => code)).toEqual(['imported_cohort', ...codes])
  expect(point.evidence).toMatchObject([
    { probe: 'client.open_loop', state: 'unknown', required: true, blames: 'client' },
  ])
  expect(importedResult(point)).toMatchObject({ passMilliRps: null, failMilliRps: null, points: [point] })
})

it('no point of a run is judged from a file that another tool’s requests are in', async () => {
  const { schedule, lines, records, manifest: own } = syntheticPoint({ manifest: manifestOf('embedded') })
  const csv = encodeRequestsCsv(records).trimEnd().split('\n')
  const marked = csv.map((line, i) => `${line},${i === 0 ? 'origin' : 'aiperf'}`).join('\n')
  const table = await readRequestsCsv(marked)
  expect(() => judgePoint({ manifest: own, dialect: VLLM, schedule, table, gaps: new Map(), lines })).toThrow(
    expect.objectContaining({ code: 'csv_imported', exitCode: 4 }),
  )
})
