import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAction } from '../../../src/entry/action-main.ts'
import { baseline } from '../gate/record-fixture.ts'
import { recordingDesk } from './action-desk.ts'
import { cli, root, scratch } from './cli-in-process.ts'

const h100 = readFileSync(join(root, 'fixtures/packs/h100-vllm/workload-manifest.yaml'), 'utf8')

function stage(text = h100, accepted: object | null = null) {
  const folder = scratch()
  const manifest = join(folder, 'workload-manifest.yaml')
  writeFileSync(manifest, text)
  const file = join(folder, 'accepted.json')
  if (accepted !== null) writeFileSync(file, JSON.stringify(accepted))
  const store = accepted === null ? `dir:${join(folder, 'none')}` : `file:${file}`
  return { command: 'lint', manifest, baseline: store, 'github-token': 'ghs_secret' }
}

describe('command: lint', () => {
  it('tells what a run would take in log, summary, output and a comment of its own, and deploys nothing', async () => {
    const inputs = { ...stage(), 'price-per-gpu-hour': '2.5' }
    const { desk, outputs, publisher, log } = recordingDesk(inputs)
    expect(await runAction(desk)).toBe(0)
    expect(log()).toContain('ESTIMATE on 8 GPUs')
    expect(publisher.summaryText).toContain('confirm, as asked')
    const [[marker, posted] = []] = [...publisher.comments]
    expect(marker).toMatch(/^<!-- capacity-gate-estimate:/)
    expect(posted?.body).toContain('The cost is at 2.5 a GPU-hour.')
    expect(outputs).toMatchObject({ verdict: '', 'comment-url': posted?.url, 'pack-path': '' })
    expect(Number(outputs['estimated-gpu-minutes'])).toBeGreaterThan(100)
  })

  it('is led by the accepted baseline', async () => {
    const { desk, publisher } = recordingDesk(stage(h100, baseline()))
    expect(await runAction(desk)).toBe(0)
    expect(publisher.summaryText).toContain('Led by what is accepted: cold 24.0 RPS, warm 30.0 RPS.')
  })

  it('puts each finding on its line, and ends with 4 for what a run would refuse', async () => {
    const broken = h100.replace(/(image: \S+)@sha256:\w+/, '$1:latest')
    const line = broken.split('\n').findIndex((text) => text.includes(':latest')) + 1
    const inputs = stage(broken)
    const { desk, outputs, publisher } = recordingDesk(inputs)
    expect(await runAction(desk)).toBe(4)
    expect(publisher.annotations).toContainEqual(
      expect.objectContaining({ level: 'error', file: inputs.manifest, line }),
    )
    expect([...publisher.comments.values()].map(({ body }) => body)).toEqual([
      expect.stringContaining('❌ The manifest cannot be run'),
    ])
    expect(outputs).toMatchObject({ verdict: 'invalid', 'estimated-gpu-minutes': '' })
  })

  it('refuses a plan over its budget, after it was told', async () => {
    const { desk, outputs, publisher } = recordingDesk({ ...stage(), 'budget-minutes': '10' })
    expect(await runAction(desk)).toBe(4)
    expect(publisher.summaryText).toContain('confirm, as asked')
    expect(JSON.parse(outputs['reasons'] ?? '')[0]).toMatchObject({ code: 'plan_over_budget' })
  })

  it('marks the sweep that a first recorded run is, whatever it asks for', async () => {
    const { desk, publisher } = recordingDesk({
      ...stage(),
      'on-missing-baseline': 'record',
      'budget-minutes': '100000',
    })
    expect(await runAction(desk)).toBe(0)
    expect(publisher.summaryText).toContain('sweep, as asked')
  })

  it('checks the override of the subject with it', async () => {
    const { desk, publisher } = recordingDesk({ ...stage(), subject: 'model: {id: other}' })
    expect(await runAction(desk)).toBe(4)
    expect(publisher.annotations[0]).toMatchObject({ message: expect.stringContaining('subject override') })
  })

  it('refuses a price that is none', async () => {
    const { desk, outputs } = recordingDesk({ ...stage(), 'price-per-gpu-hour': '2,5' })
    expect(await runAction(desk)).toBe(64)
    expect(outputs['reasons']).toContain('price-per-gpu-hour')
  })
})

describe('estimate', () => {
  const { manifest } = stage()

  it('prints both plans, or the one that is asked for', async () => {
    const both = await cli('estimate', manifest)
    expect([both.code, both.stderr]).toEqual([0, ''])
    expect(both.stdout).toMatch(/\| confirm \|[^]*\| sweep \|/)
    const one = await cli(
      'estimate',
      manifest,
      '--plan',
      'sweep',
      '--cache',
      'cold',
      '--price-per-gpu-hour',
      '2',
      '--json',
    )
    const { plans } = JSON.parse(one.stdout)
    expect(plans).toEqual([expect.objectContaining({ plan: 'sweep', cost: expect.any(Number) })])
    expect(plans[0].cost).toBeCloseTo((plans[0].gpuMinutes / 60) * 2, 9)
  })

  it('is of a manifest that can be run alone', async () => {
    const ended = await cli('estimate', join(root, 'fixtures/packs/broken-benchmark/workload-manifest.yaml'))
    expect([ended.code, ended.stdout]).toEqual([4, ''])
  })
})
