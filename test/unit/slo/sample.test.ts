import { expect, it } from 'vitest'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import { samplesOf } from '../../../src/core/slo/sample.ts'

const CLASS = { name: 'chat', output_tokens: 2, request_ttft_cutoff_ms: 100, request_tpot_cutoff_ms: 50 }

/** A cohort of another tool, as `import` writes it: one row for each due time, in the order of sending. */
function imported(dueUs: readonly (number | null)[]): string {
  const rows = dueUs.map((due, i) => {
    const sent = 1_000_000 + i * 1000
    const times = [due ?? '', sent, sent + 10_000, sent + 20_000, sent + 20_000]
    return ['r-' + i, 'chat', '10', '10', '20', 2, 'ok', ...times, 'guidellm'].join(',')
  })
  const head = 'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status'
  return [`${head},due_us,sent_us,first_token_us,last_token_us,end_us,origin`, ...rows, ''].join('\n')
}

async function order(dueUs: readonly (number | null)[]): Promise<number[]> {
  const table = await readRequestsCsv(imported(dueUs), { columns: 'analyzed' })
  const [sample] = samplesOf(table, [CLASS], { planned: 'failures', lengths: 'exact' })
  return [...(sample?.ok ?? [])]
}

it('puts successes in the order of their due times, equal ones as they stand', async () => {
  expect(await order([30, 10, 20, 10])).toEqual([1, 3, 2, 0])
  expect(await order([10, 20, 30])).toEqual([0, 1, 2])
})

it('leaves them as they stand where one due time is not known: the others alone would be no order', async () => {
  expect(await order([30, null, 20, 10])).toEqual([0, 1, 2, 3])
  expect(await order([null, 30, 20, 10])).toEqual([0, 1, 2, 3])
  expect(await order([30, 20, 10, null])).toEqual([0, 1, 2, 3])
  expect(await order([null, null])).toEqual([0, 1])
})
