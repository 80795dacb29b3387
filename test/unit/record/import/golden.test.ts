import { expect, test } from 'vitest'
import { encodeImportedCsv } from '../../../../src/core/record/import/imported-csv.ts'
import type { ImportTool } from '../../../../src/core/record/import/tool.ts'
import { readRequestsCsv } from '../../../../src/core/record/read.ts'
import { fixtureText, importText } from './import-value.ts'

const files: [tool: ImportTool, file: string, run?: number][] = [
  ['aiperf', 'aiperf.jsonl'],
  ['vllm', 'vllm.json'],
  ['vllm', 'vllm-appended.jsonl', 2],
  ['vllm', 'vllm-older.json'],
  ['vllm', 'vllm-rust.json'],
  ['sglang', 'sglang.jsonl'],
  ['sglang', 'sglang-appended.jsonl', 3],
  ['guidellm', 'guidellm.json', 1],
  ['inference-perf', 'inference-perf.json'],
]

test.each(files)('%s: %s becomes the accepted requests.csv', async (tool, file, run) => {
  const cohort = await importText(tool, fixtureText(file), run === undefined ? {} : { run })
  const csv = encodeImportedCsv(cohort)
  await expect(csv).toMatchFileSnapshot(`../../../golden/imports/${file}.csv`)
  const table = await readRequestsCsv(csv)
  expect(table).toMatchObject({ origin: cohort.origin, rows: cohort.requests.length, hasTimes: true })
  expect(table.hasDue).toBe(tool === 'guidellm')
})
