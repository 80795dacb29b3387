import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { parseCapacityRecord } from '../../../src/core/gate/read.ts'
import { renderComment } from '../../../src/core/report/comment.ts'
import { cli, scratch } from '../entry/cli-in-process.ts'
import { recordOf } from './planted.ts'

const folder = scratch()
let sound: CapacityRecord
let slower: CapacityRecord

/** A pack that holds no more than its records. */
function packOf(name: string, record: CapacityRecord, baseline: CapacityRecord | null): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'capacity.json'), JSON.stringify(record))
  if (baseline !== null) writeFileSync(join(path, 'baseline.json'), JSON.stringify(baseline))
  return path
}

beforeAll(async () => {
  sound = await recordOf({})
  slower = await recordOf({ parameters: { perPrefillTokenUs: 150 } })
})

describe('explain', () => {
  test('names the cause first, with its numbers and how it is known', async () => {
    const { code, stdout, stderr } = await cli('explain', packOf('slower', slower, sound))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^cold: Of 100 requests \d+\.\d are lost at 36\.0 RPS: interactive by TTFT/)
    expect(stdout).toMatch(/\n {2}1\. slower prefill: \d+\.\d % of the loss \(inferred\)\n {7}prefill, µs a token: 5\d/)
  })

  test('takes another pack or a capacity.json as the baseline', async () => {
    const pack = packOf('alone', slower, null)
    const other = packOf('other', sound, null)
    const [byFolder, byFile] = [
      await cli('explain', pack, '--baseline', other),
      await cli('explain', pack, '--baseline', join(other, 'capacity.json')),
    ]
    expect(byFolder.stdout).toContain('1. slower prefill')
    expect(byFile).toEqual(byFolder)
  })

  test('says so where nothing was lost', async () => {
    const { code, stdout } = await cli('explain', packOf('same', sound, sound))
    expect([code, stdout]).toEqual([
      0,
      'cold: No request was lost beyond chance at 36.0 RPS: there is nothing to explain.\n',
    ])
  })

  test('says so where nothing stands out', async () => {
    const bare = structuredClone(slower)
    for (const { points } of bare.capacity) for (const point of points) delete point.work
    const { stdout } = await cli('explain', packOf('bare', bare, sound))
    expect(stdout).toContain('\n  Nothing that is known stands out as its cause.\n')
    expect(stdout).toContain('\n  Not told by both points, and so no cause here: how the engine worked.\n')
    expect(stdout).toMatch(/\n {2}Not known of both: \S/)
  })

  test('prints the same as one JSON value', async () => {
    const { stdout } = await cli('--json', 'explain', packOf('json', slower, sound))
    const { states } = JSON.parse(stdout)
    expect(states).toMatchObject([{ cache: 'cold', why: [], explanation: { causes: [{ id: 'prefill' }] } }])
  })

  test('says why where no two points compare', async () => {
    const other = structuredClone(sound)
    other.experiment.sha256 = 'f'.repeat(64)
    const { code, stdout } = await cli('explain', packOf('apart', slower, other))
    expect(code).toBe(0)
    expect(stdout).toMatch(/no two points at one rate to compare\n {2}\S/)
  })

  test('asks for a baseline where the pack has none', async () => {
    const { code, stderr } = await cli('explain', packOf('lone', slower, null))
    expect(code).toBe(4)
    expect(stderr).toMatch(/^error: the pack was compared with no baseline\nhint: name one: --baseline/)
  })
})

test('the comment says the same under its state', () => {
  const gated = {
    candidate: slower,
    baseline: sound,
    anchor: null,
    onMissingBaseline: 'fail',
    onHostChange: 'accept',
  } as const
  const verdict = gate({ ...gated, acceptedLosses: [] })
  const context = { toolVersion: '0.0.0' }
  const comment = renderComment({ verdict, record: slower, baseline: sound, anchor: null, context })
  expect(comment).toContain('**What is lost, and why.** Of 100 requests')
  expect(comment).toMatch(
    /\| cause \| of the loss % \| known \| baseline → now \|\n\|.*\n\| slower prefill \| \d+\.\d \| inferred \| prefill, µs a token: /,
  )
})

describe('what a point’s report holds of the engine’s work', () => {
  test('survives the way to disk and back', () => {
    const [point] = parseCapacityRecord(JSON.stringify(slower)).capacity[0]?.points ?? []
    expect(point?.work).toEqual(slower.capacity[0]?.points[0]?.work)
    expect(point?.work?.replicas).toBe(2)
  })

  test('is refused where it is none', () => {
    const text = JSON.stringify(slower).replace(/"stepUs":[\d.]+/, '"stepUs":-1')
    expect(() => parseCapacityRecord(text)).toThrow(/stepUs/)
  })
})
