import { expect, test } from 'vitest'
import { manifestLines } from '../../../src/app/manifest-lines.ts'
import { annotations } from '../../../src/core/report/annotations.ts'
import { CASES } from './report-fixture.ts'

const FILE = 'gates/workload-manifest.yaml'
const TEXT = `gate: { id: a }
workload:
  - name: interactive
    request_ttft_cutoff_ms: 500
  - name: long_context
    request_tpot_cutoff_ms: 50
    request_ttft_cutoff_ms: 2500
acceptance:
  error_rate_max: 0.01
  class_slo_attainment_min: 0.95
`

const verdict = () => {
  const made = CASES['regressed-warm']?.()
  if (made === undefined) throw new Error('no such case')
  return made.verdict
}

test('stand on the cutoff that was missed, and on the acceptance line that failed', () => {
  const { places, classes } = manifestLines(FILE, TEXT)
  expect(annotations(verdict(), places, classes)).toMatchObject([
    { message: 'long_context misses its TTFT cutoff first', level: 'error', file: FILE, line: 7, column: 5 },
    // capacity_tolerance is left to its default: the section stands for it.
    { message: expect.stringContaining('[below_baseline]'), file: FILE, line: 8, column: 1 },
    { message: expect.stringContaining('[class_attainment]'), file: FILE, line: 10, column: 3 },
    { level: 'notice', title: 'Capacity held (cold)' },
  ])
})

test.each([
  ['no file', ''],
  ['another file', '- a\n- b\n'],
  ['no YAML', '{ ['],
  ['a workload that is none', 'workload: [1, {name: 2}, x]\n'],
  ['another workload', TEXT.replace('long_context', 'renamed')],
])('stand nowhere, or above, for %s', (_, text) => {
  const { places, classes } = manifestLines(FILE, text)
  const found = annotations(verdict(), places, classes)
  expect(found).toHaveLength(3)
  expect(found[0]?.message).toContain('[below_baseline]')
})
