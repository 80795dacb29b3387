import { describe, expect, it } from 'vitest'
import { DIALECT_IDS } from '../../../src/core/dialect/choose.ts'
import type { ControlAnswer } from '../../../src/core/dialect/control-answers.ts'
import { fitDialects, surfacePaths } from '../../../src/core/dialect/fit.ts'
import type { Surface } from '../../../src/core/dialect/fit.ts'
import { parsePrometheus } from '../../../src/core/telemetry/prometheus.ts'
import { controlAnswers } from '../../fakes/recorded-engine.ts'

function surfaceOf(answers: ReadonlyMap<string, ControlAnswer>): Surface {
  const { plain, metrics } = surfacePaths()
  const got = (path: string) => answers.get(`GET ${path}`)
  const pages = metrics.flatMap((path): [string, ReadonlySet<string>][] => {
    const answer = got(path)
    if (answer?.status !== 200 || answer.contentType.includes('json')) return []
    return [[path, new Set(parsePrometheus(answer.text).map(({ name }) => name))]]
  })
  const known = [...plain, ...metrics].flatMap((path): [string, ControlAnswer][] => {
    const answer = got(path)
    return answer ? [[path, answer]] : []
  })
  return { answers: new Map(known), metricNames: new Map(pages) }
}

const engines = ['vllm', 'llama-server', 'llama-cpp-python', 'llm-d-sim', 'sglang', 'tensorrt-llm', 'dynamo']

describe('which dialect fits', () => {
  it.each(engines)('%s is known by what it answers, with room to spare', (engine) => {
    const fits = fitDialects(surfaceOf(controlAnswers(engine)))
    expect(fits[0]?.dialect.id).toBe(engine)
    expect((fits[0]?.score ?? 0) - (fits[1]?.score ?? 0)).toBeGreaterThanOrEqual(1)
    expect(fits[0]?.pro.join()).toMatch(/owned_by/)
    expect(fits.map(({ dialect }) => dialect.id).toSorted()).toEqual([...DIALECT_IDS].toSorted())
  })

  it.each(engines)('%s is known without metrics too, which may be off', (engine) => {
    const { answers } = surfaceOf(controlAnswers(engine))
    expect(fitDialects({ answers, metricNames: new Map() })[0]?.dialect.id).toBe(engine)
  })

  it('tells the simulator from what it simulates by what it lacks', () => {
    const [, second] = fitDialects(surfaceOf(controlAnswers('llm-d-sim')))
    expect(second?.dialect.id).toBe('vllm')
    expect(second?.contra).toContain('/version does not tell a version')
  })

  it('takes a server that only lists models for a generic one', () => {
    const text = '{"object":"list","data":[{"id":"m","object":"model","owned_by":"acme"}]}'
    const answers = new Map([['/v1/models', { status: 200, contentType: 'application/json', text }]])
    const [first] = fitDialects({ answers, metricNames: new Map() })
    expect(first?.dialect.id).toBe('openai')
  })

  it('believes no page of HTML', () => {
    const html = { status: 200, contentType: 'text/html', text: '<html>hello</html>' }
    const answers = new Map(surfacePaths().plain.map((path) => [path, html]))
    expect(fitDialects({ answers, metricNames: new Map() }).every(({ pro }) => pro.length === 0)).toBe(true)
  })
})
