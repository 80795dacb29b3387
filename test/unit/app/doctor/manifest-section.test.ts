import { describe, expect, it } from 'vitest'
import { manifestSection } from '../../../../src/app/doctor/manifest-section.ts'
import type { NeedAnswer, StartNeed } from '../../../../src/app/ports/start-need.ts'
import type { Finding } from '../../../../src/core/manifest/finding.ts'
import { smallExample } from '../../../virtual/virtual-manifest.ts'

const never = new AbortController().signal

async function told(change: {
  dialect?: unknown
  required?: string[]
  lint?: Finding[]
  needs?: Partial<Record<StartNeed['probe'], NeedAnswer>>
}) {
  const manifest = smallExample()
  if (change.dialect !== undefined) manifest.engine.dialect = change.dialect as typeof manifest.engine.dialect
  if (change.required) manifest.acceptance.required_evidence = change.required as never
  const needs = Object.entries(change.needs ?? {}).map(([probe, answer]) => {
    return { probe: probe as StartNeed['probe'], look: async () => answer }
  })
  const section = manifestSection({ file: 'm.yaml', manifest, lint: change.lint ?? [], needs })
  const report = await section.examine(never)
  return (probe: string) => report.findings.find((finding) => finding.probe === probe)
}

describe('what a manifest needs', () => {
  it('is that it breaks no rule that a run asks', async () => {
    expect((await told({}))('manifest.rules')).toMatchObject({ state: 'pass' })
    const lint = [
      { rule: 'a', severity: 'error', path: 'x.y', line: 3, column: 1, message: 'is wrong', hint: 'Right it.' },
      { rule: 'b', severity: 'warning', path: '', line: 1, column: 1, message: 'is odd', hint: 'Even it.' },
    ] as const
    const broken = await told({ lint: [...lint] })
    expect(broken('manifest.rules')).toBeUndefined()
    expect(broken('manifest.a')).toMatchObject({ state: 'fail', required: true, text: 'line 3, x.y: is wrong' })
    expect(broken('manifest.b')).toMatchObject({ state: 'fail', required: false, mend: 'Even it.' })
  })

  it('is what its dialect can show of what it requires', async () => {
    const generic = await told({ dialect: 'openai', required: ['identity', 'stability'] })
    expect(generic('endpoint.version')).toMatchObject({ state: 'unknown', required: true, mend: expect.any(String) })
    expect(generic('metrics.restarts')).toMatchObject({ state: 'unknown', required: true })
    expect((await told({ dialect: 'openai', required: ['queue'] }))('endpoint.version')?.required).toBe(false)
    expect((await told({ dialect: 'llama-cpp-python' }))('generation.usage')).toMatchObject({ required: true })
    expect((await told({ dialect: 'llama-cpp-python', required: ['cache_hit'] }))('cache.cached_tokens')).toMatchObject(
      {
        required: true,
      },
    )
    const vllm = await told({ dialect: 'vllm' })
    for (const probe of ['endpoint.version', 'metrics.restarts', 'generation.usage', 'cache.cached_tokens'])
      expect(vllm(probe)).toBeUndefined()
  })

  it('is a GPU where it requires the host’s evidence', async () => {
    expect((await told({ required: ['host'] }))('manifest.host')).toMatchObject({ state: 'unknown', required: true })
    expect((await told({ required: ['client'] }))('manifest.host')).toBeUndefined()
  })

  it('is what must be there to start, with cost and mend of what is not', async () => {
    const found = await told({
      needs: { docker: { fail: 'no daemon' }, image: { unknown: 'not here' }, ports: { pass: 'port 8000 is free' } },
    })
    expect(found('needs.docker')).toMatchObject({ state: 'fail', required: true, text: 'no daemon' })
    expect(found('needs.docker')?.mend).toMatch(/start Docker/)
    expect(found('needs.image')).toMatchObject({ state: 'unknown', required: false })
    expect(found('needs.ports')).toMatchObject({ state: 'pass', cost: null, mend: null })
  })
})
