import { describe, expect, it } from 'vitest'
import { estimateManifest } from '../../../src/core/capacity/plan-costs.ts'
import type { Finding } from '../../../src/core/manifest/finding.ts'
import { estimateComment, estimateMarkdown, estimateText } from '../../../src/core/report/estimate.ts'
import type { EstimateReport } from '../../../src/core/report/estimate.ts'
import { commentMarker, estimateMarker } from '../../../src/core/report/marker.ts'
import { manifestOf } from '../capacity/synthetic-point.ts'

const sweep = { rates_rps: [16, 20, 24, 28], refine_step: 0.02, repeats: 3 }
const input = {
  manifest: manifestOf('worked-example', { sweep }),
  caches: ['cold', 'warm'] as const,
  plans: ['confirm', 'sweep'] as const,
  baseline: null,
  anchor: null,
}
const estimate = estimateManifest({ ...input, pricePerGpuHour: 2.5 })

const report = (over: Partial<EstimateReport> = {}): EstimateReport => ({
  manifestPath: 'workload-manifest.yaml',
  findings: [],
  found: { gateId: 'dense-70b-8xh100', estimate },
  plan: 'confirm',
  context: { toolVersion: '1.2.3', headSha: 'a'.repeat(40), runUrl: 'https://github.com/acme/engine/actions/runs/17' },
  ...over,
})

const finding: Finding = {
  rule: 'schema-unknown-key',
  severity: 'error',
  path: 'model.precison',
  line: 12,
  column: 3,
  message: 'unknown key',
  hint: 'Did you mean precision?',
}

describe('the estimate of a manifest', () => {
  it('tells points, boots, time, GPU-minutes and cost of both plans, and which is asked for', () => {
    const text = estimateMarkdown(report())
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
    expect(rows[0]).toEqual(['plan', 'cache', 'points', 'boots', 'time', 'GPU-minutes', 'cost'])
    expect(rows.slice(2).map((row) => row.slice(0, 4))).toEqual([
      ['confirm, as asked', 'cold', '1', '1'],
      ['confirm, as asked', 'warm', '1', '1'],
      ['confirm, as asked', 'all', '2', '2'],
      ['sweep', 'cold', expect.any(String), expect.any(String)],
      ['sweep', 'warm', expect.any(String), expect.any(String)],
      ['sweep', 'all', String(estimate.plans[1]?.points), expect.any(String)],
    ])
    expect(rows[4]?.slice(5)).toEqual([
      String(Math.ceil(estimate.plans[0]?.gpuMinutes ?? 0)),
      (estimate.plans[0]?.cost ?? 0).toFixed(2),
    ])
    expect(text).toContain('at `aaaaaaaaaa` · [run](https://github.com/acme/engine/actions/runs/17)')
    expect(text).toMatch(/^An estimate: |\. An estimate: /m)
  })

  it('has no cost where no price was given, and no GPU-minutes without GPUs', () => {
    const embedded = manifestOf('embedded')
    const found = {
      gateId: 'fixture',
      estimate: estimateManifest({ ...input, manifest: embedded, pricePerGpuHour: null }),
    }
    const text = estimateMarkdown(report({ found }))
    expect(text).not.toContain('cost')
    expect(text).toMatch(/\| confirm, as asked \| all \| +2 \| +2 \| +\d+ s \| +– \|/)
  })

  it('says what is assumed, and what an estimate does not know, on a terminal as well', () => {
    const text = estimateText(estimate)
    expect(text).toMatch(/^ESTIMATE on 8 GPUs\n/)
    expect(text).toContain('Nothing is accepted yet: it is taken to carry cold 24.0 RPS, warm 24.0 RPS.')
    expect(text).toContain('up to twice the truth')
  })

  it('of one that cannot be run is its findings', () => {
    const text = estimateMarkdown(report({ found: null, findings: [finding] }))
    expect(text).toContain('## ❌ The manifest cannot be run\n\n`workload-manifest.yaml`: 1 error.')
    expect(text).toContain(
      '- error on line 12: model.precison: unknown key (`schema-unknown-key`). Did you mean precision?',
    )
  })

  it('lets nothing of the manifest through that GitHub would act on', () => {
    const hostile =
      '</details> @acme/team <!-- x --> [a](https://evil.example) | ![](https://evil.example/p.png)\n## held'
    const many = Array.from({ length: 5000 }, () => ({ ...finding, path: hostile, message: hostile, hint: hostile }))
    const text = estimateMarkdown(report({ found: null, findings: many, manifestPath: hostile }))
    expect(text).not.toMatch(/<\/details>|<!--|@acme|\]\(https:\/\/evil|^## held/m)
    expect(Buffer.byteLength(text)).toBeLessThan(65_000)
    expect(text).toContain('…and 4980 more findings: see the log.')
  })
})

describe('its comment', () => {
  it('is one of its own for each manifest, and never the gate’s', () => {
    const { marker, body, isIn } = estimateComment(report())
    expect(marker).not.toBe(commentMarker('dense-70b-8xh100'))
    expect(estimateMarker('a.yaml')).not.toBe(estimateMarker('b.yaml'))
    expect(estimateMarker('a.yaml', 'x')).not.toBe(estimateMarker('a.yaml'))
    expect(estimateMarker('-->\n<!-- capacity-gate:x: -->').split('\n')).toHaveLength(1)
    expect(body([]).split('\n')[0]).toBe(marker)
    expect([isIn(body([])), isIn(`> ${body([])}`)]).toEqual([true, false])
  })

  it('does not begin with what a gate of a hostile name would take for its own', () => {
    expect(commentMarker('estimate:workload-manifest.yaml')).not.toBe(estimateMarker('workload-manifest.yaml'))
  })
})
