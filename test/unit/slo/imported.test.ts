import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifest } from '../../../src/core/manifest/read.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import { analyzeManifest } from '../../../src/core/slo/analyze.ts'

const ROOT = join(import.meta.dirname, '../../..')
const golden = (name: string) => readFileSync(join(ROOT, 'test/golden/imports', name), 'utf8')
const manifestText = readFileSync(join(ROOT, 'fixtures/imports/workload-manifest.yaml'), 'utf8')
const read = (text: string) => {
  const { manifest } = readManifest(text, { level: 'valid' })
  if (manifest === null) throw new Error('the sample manifest is not valid')
  return manifest
}
const manifest = read(manifestText)
const byDue = read(manifestText.replace('acceptance:\n', 'acceptance:\n  latency_origin: due\n'))
const point = { durationSeconds: 10, queueTrend: 'flat' } as const
const analyzed = async (name: string, of = manifest) => analyzeManifest(await readRequestsCsv(golden(name)), of, point)

describe('an imported cohort', () => {
  it.each(['aiperf.jsonl.csv', 'vllm.json.csv', 'sglang.jsonl.csv', 'guidellm.json.csv', 'inference-perf.json.csv'])(
    '%s is analysed, with its origin and why its open loop is unproven',
    async (name) => {
      const report = await analyzed(name)
      expect(report.origin).toMatch(/^(aiperf|vllm-bench|sglang-bench|guidellm\/0\.8\.1|inference-perf)$/)
      expect(report.reasons).toEqual([
        { code: 'imported_cohort', text: expect.stringMatching(/^\S+ sent these requests.*cannot be proven$/) },
      ])
      expect(JSON.stringify(report)).not.toContain('NaN')
      expect(report.rates_rps.offered).toBe(report.attempted / 10)
    },
  )

  it('our own has neither', async () => {
    const [head = '', ...rows] = golden('guidellm.json.csv').trimEnd().split('\n')
    const bare = [head, ...rows].map((line) => line.slice(0, line.lastIndexOf(','))).join('\n')
    // As ours would be: no cell of ours may be empty.
    const report = analyzeManifest(
      await readRequestsCsv(bare.replaceAll(/^(g-5.*)$/gm, '').replaceAll(/\n+/g, '\n')),
      manifest,
      point,
    )
    expect([report.origin, report.reasons]).toEqual([undefined, undefined])
  })

  it('says null of what its file does not tell', async () => {
    const [vllm, sglang] = [await analyzed('vllm.json.csv'), await analyzed('sglang.jsonl.csv')]
    expect(vllm).toMatchObject({
      arrival_seconds: null,
      send_lag_ms: null,
      arrival_window_rates_rps: null,
      mean_terminal_seconds: null,
    })
    expect(vllm.rates_rps).toMatchObject({ sent: 0.7, accepted: null })
    expect(sglang.rates_rps).toMatchObject({ sent: null, accepted: null })
    expect(vllm.classes['chat']?.ttft_from_due_ms).toMatchObject({ n: 0, p50: null })
    expect((await analyzed('inference-perf.json.csv')).mean_terminal_seconds).toBeGreaterThan(0)
  })

  it('is judged from due where each request says when it was due, and refused where not', async () => {
    const report = await analyzed('guidellm.json.csv', byDue)
    expect(report.classes['chat']).toMatchObject({ successful_count: 2, passing_count: 1 })
    expect((await analyzed('guidellm.json.csv')).classes['chat']?.passing_count).toBe(2)
    await expect(analyzed('vllm.json.csv', byDue)).rejects.toMatchObject({ code: 'no_due_times' })
  })

  it('gives the reference’s keys as the bare seven columns give them', async () => {
    for (const name of ['vllm.json.csv', 'sglang.jsonl.csv', 'aiperf.jsonl.csv']) {
      const bare = golden(name)
        .split('\n')
        .map((line) => line.split(',').slice(0, 7).join(','))
        .join('\n')
      const [theirs, ours] = [analyzeManifest(await readRequestsCsv(bare), manifest, point), await analyzed(name)]
      for (const key of [
        'attempted',
        'successful',
        'overall_attainment',
        'observed_goodput_rps',
        'error_rate',
      ] as const) {
        expect([name, key, ours[key]]).toEqual([name, key, theirs[key]])
      }
    }
  })
})

describe('the column origin', () => {
  const vllm = golden('vllm.json.csv')

  it('lets cells of ours be empty that no file of ours leaves empty', async () => {
    const without = vllm
      .split('\n')
      .map((line) => line.slice(0, line.lastIndexOf(',')))
      .join('\n')
    await expect(readRequestsCsv(without)).rejects.toMatchObject({ code: 'csv_number' })
  })

  it.each([
    ['another row’s', vllm.replace(/vllm-bench\n$/, 'aiperf\n')],
    ['none', vllm.replace(/vllm-bench\n$/, '\n')],
    ['a formula', vllm.replaceAll(/vllm-bench\n/g, '=1+1\n')],
    ['too long', vllm.replaceAll(/vllm-bench\n/g, `${'v'.repeat(81)}\n`)],
  ])('refuses %s', async (_, csv) => {
    await expect(readRequestsCsv(csv)).rejects.toMatchObject({ code: 'csv_origin', exitCode: 4 })
  })

  it('still holds milliseconds to the microseconds that are there', async () => {
    await expect(readRequestsCsv(vllm.replace('50.000,11', '51.000,11'))).rejects.toMatchObject({
      code: expect.stringMatching(/csv_(times_disagree|inconsistent)/),
    })
  })

  it('is kept of a file with the bare seven columns too', async () => {
    const csv = 'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status,origin\nr,chat,1,1,4,4,ok,aiperf\n'
    expect(await readRequestsCsv(csv)).toMatchObject({ origin: 'aiperf', hasTimes: false, hasDue: false })
  })
})
