import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ENGINE_CHOICES } from '../../../src/core/init/answers.ts'
import type { GivenAnswers } from '../../../src/core/init/answers.ts'
import { refusalOf, starter } from '../../../src/core/init/starter.ts'
import { dialectNamed } from '../../../src/core/dialect/choose.ts'
import type { GateError } from '../../../src/core/kernel/errors.ts'
import { autoRates } from '../../../src/core/manifest/auto-rates.ts'
import { readManifest } from '../../../src/core/manifest/read.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { calibrationNeed, neededEventsPerSecond } from '../../../src/core/telemetry/calibration-need.ts'
import { COMMIT, DIGEST, fewest } from './given-answers.ts'

const { image: _, ...unstarted } = fewest()

function manifestOf(given: GivenAnswers): Manifest {
  const { manifest } = readManifest(starter(given, null).text, { level: 'deployable' })
  if (manifest === null) throw new Error('it is not valid')
  return manifest
}

function refused(given: GivenAnswers): GateError {
  try {
    starter(given, null)
  } catch (error) {
    return error as GateError
  }
  throw new Error('it was not refused')
}

const line = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter(
  // Control characters and half characters are refused; what looks like a secret too.
  (text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed() && text.trim() === text,
)
const word = fc.oneof(
  line,
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '0x10',
    '1e3',
    '- a',
    'a: b',
    'a #b',
    '#b',
    '"',
    "'",
    '{',
    '[',
    '&a',
    '*a',
    '!t',
    '%',
    '@',
    '`',
    '|',
    '>',
    '?',
    'a,b',
    '{node}',
    '<<',
    '"\\n"',
  ),
)
const count = fc.integer({ min: 1, max: 16 }).map(String)

const anyAnswers = fc.record(
  {
    engine: fc.constantFrom(...ENGINE_CHOICES),
    engineVersion: fc.constantFrom('0.32.0', '1.0', 'b6327', '1.3.0rc5'),
    model: word,
    modelRevision: fc.constantFrom(COMMIT, `sha256:${DIGEST}`),
    tokenizerRevision: fc.constant(COMMIT),
    maxModelLen: fc.integer({ min: 512, max: 1_000_000 }).map(String),
    promptTokenIds: fc.constantFrom('0,1000', '1000,30000', '300,128000'),
    gpu: fc.constantFrom('h100', 'none', 'H200', 'mi300x'),
    tp: count,
    pp: count,
    replicas: count,
    rates: fc.constantFrom('8,10,12', '0.5', '100,40', '1,2,300', 'auto'),
    gateId: word,
  },
  { requiredKeys: ['engine', 'engineVersion', 'model', 'modelRevision'] },
)
const anyDeploy = fc.oneof(
  fc.record({
    image: fc.constant(`vllm/vllm-openai@sha256:${DIGEST}`),
    words: fc.constant(['--x-unowned', '256']),
    weights: word,
  }),
  fc.record({ words: word.map((last) => ['/opt/engine', '--port-of', '{port}', `--x-unowned=${last}`]) }),
)

describe('the first manifest', () => {
  it('lints clean whatever was answered, and holds what was said', () => {
    fc.assert(
      fc.property(anyAnswers, anyDeploy, (answers, deploy) => {
        const given: GivenAnswers = { ...answers, ...deploy }
        const { text, warnings } = starter(given, null)
        const { findings, manifest } = readManifest(text, { level: 'deployable' })
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(warnings).toEqual(findings)
        const { weights = '/data/hf', words } = given
        const started =
          given.image === undefined ? { kind: 'process', argv: words } : { kind: 'docker', weights, args: words }
        expect(manifest).toMatchObject({ model: { id: answers.model }, engine: { deploy: started } })
        expect(manifest?.gate?.id).toBe(answers.gateId ?? manifest?.gate?.id)
      }),
      { numRuns: 100 },
    )
  })

  it.each(ENGINE_CHOICES)(
    'has nothing against it for %s with what must be said, but what the engine cannot do',
    (engine) => {
      const { warnings } = starter(fewest({ engine }), null)
      const dialect = dialectNamed(engine)
      const cannot = dialect?.request.ignoreEos === null ? ['length-not-forced'] : []
      expect(warnings.map(({ rule }) => rule)).toEqual(cannot)
    },
  )

  it.each([512, 600, 1000, 2048, 4096, 8192, 16_384, 131_072])(
    'has three classes for a context of %i tokens',
    (longest) => {
      const { workload, model } = manifestOf(fewest({ maxModelLen: String(longest) }))
      expect(model.max_model_len).toBe(longest)
      const needed = workload.map(({ input_tokens: input, output_tokens: output }) => input + output)
      expect(Math.max(...needed)).toBeLessThanOrEqual(longest)
      expect(workload.map(({ mix }) => mix)).toEqual([0.7, 0.2, 0.1])
    },
  )

  it('counts the GPUs of a placement, and none where there are none', () => {
    const { engine, gate } = manifestOf(fewest({ tp: '2', replicas: '4' }))
    expect(engine.placement).toEqual({ tp: 2, pp: 1, dp: 4, replicas: 4, gpus: 8 })
    expect(gate?.id).toBe('dense-8b-8xh100')
    expect(manifestOf(fewest({ gpu: 'none', engine: 'llama-server' })).engine.placement.gpus).toBe(0)
  })

  it('grows the schedule with its highest rate, and the longest duration with its lowest', () => {
    const { client } = manifestOf(fewest({ rates: '2,200' }))
    expect(client.initial_scheduled_requests / 200).toBeGreaterThanOrEqual(300)
    expect(client.initial_scheduled_requests / 2).toBeLessThanOrEqual(client.maximum_duration_seconds)
  })

  it.each([1, 4, 16])(
    'leaves the rates of %i replicas to auto, with room for what engine and client carry',
    (replicas) => {
      const manifest = manifestOf(fewest({ replicas: String(replicas) }))
      expect(manifest.sweep?.rates_rps).toBe('auto')
      const rates = autoRates(manifest)
      const [lowest = 0, highest = 0] = [rates[0], rates.at(-1)]
      expect(lowest).toBeLessThanOrEqual(6500)
      expect(highest).toBeGreaterThanOrEqual(54_000)
      // Half of what one client was measured to read is 26,000 to 31,000: above it a run would be refused before it began.
      expect(neededEventsPerSecond(calibrationNeed(manifest, highest))).toBeLessThanOrEqual(20_000)
    },
  )

  it('requires no evidence that the engine is not known to show, and says so', () => {
    const { text } = starter(fewest({ engine: 'dynamo' }), null)
    expect(parse(text).acceptance.required_evidence).toEqual(['client', 'queue', 'cache_hit', 'stability'])
    expect(text).toContain('# Without identity: NVIDIA Dynamo (frontend) is not known to show its version.')
    expect(parse(starter(fewest(), null).text).acceptance.required_evidence).toBeUndefined()
  })

  it('takes servers that are up, a replica an origin', () => {
    const endpoint = ['http://127.0.0.1:8000', 'http://127.0.0.1:8001']
    const { engine } = manifestOf({ ...unstarted, endpoint })
    expect(engine.deploy).toMatchObject({ kind: 'endpoint', urls: endpoint })
    expect(engine.placement.replicas).toBe(2)
  })
})

describe('an answer', () => {
  it.each<[string, GivenAnswers, RegExp]>([
    ['a tag for an image', { image: 'vllm/vllm-openai:v0.32.0' }, /^--image: .*without a digest/],
    ['a moving tag', { image: 'vllm/vllm-openai:latest' }, /^--image: /],
    ['a branch for a revision', { modelRevision: 'main' }, /^--model-revision: .*moves/],
    ['a short commit', { modelRevision: '6f0d3a9' }, /^--model-revision: .*abbreviated/],
    ['a branch for the tokenizer', { tokenizerRevision: 'v1' }, /^--tokenizer-revision: /],
    ['no single version', { engineVersion: 'latest' }, /^--engine-version: /],
    ['an unknown engine', { engine: 'vlm' }, /^--engine: "vlm" is none of vllm, sglang/],
    ['the embedded engine', { engine: 'fixture' }, /^--engine: /],
    [
      'an argument that the manifest owns',
      { words: ['--dtype', 'half'] },
      /^the words after --: .*owned by model.precision/,
    ],
    ['a precision that the engine does not know', { precision: 'bf17' }, /^--precision: /],
    ['a model with a line break', { model: 'a\nb' }, /^--model is not one line/],
    ['a model with a line separator', { model: 'a\u2028b' }, /^--model is not one line/],
    ['an empty model', { model: ' ' }, /^--model is empty/],
    ['a model without end', { model: 'x'.repeat(501) }, /^--model has more than 500 characters/],
    ['half a GPU', { tp: '0.5' }, /^--tp: "0.5" is no whole number/],
    ['no replica', { replicas: '0' }, /^--replicas: /],
    ['a GPU that is no label', { gpu: 'h100]' }, /^--gpu: /],
    ['a range the wrong way round', { promptTokenIds: '9,3' }, /^--prompt-token-ids: /],
    ['a range of few ids', { promptTokenIds: '1,9' }, /^--prompt-token-ids: .*at least 16/],
    ['rates of words', { rates: '8,fast' }, /^--rates: /],
    ['a rate finer than a milli-request', { rates: '8,9.00001' }, /^--rates: .*milli-requests/],
    ['a context too short', { maxModelLen: '100' }, /^--max-model-len: "100" is no whole number from 512 on/],
    ['an image and an endpoint', { endpoint: ['http://a'] }, /^--image and --endpoint are two answers/],
    ['a secret', { model: `hf_${'a'.repeat(30)}` }, /^--model: .*Hugging Face token/],
  ])('of %s is refused by its flag', (_, change, says) => {
    const error = refused(fewest(change))
    expect(error).toMatchObject({ code: 'usage', exitCode: 64 })
    expect(error.message).toMatch(says)
    expect(error.message).not.toContain('aaaaaaaaaa')
    expect(error.hint).not.toBe('')
  })

  it('that lacks is named, all of them at once', () => {
    expect(refused({}).message).toBe(
      'not answered: --engine, --engine-version, --model, --model-revision, how the engine is started (--image NAME@sha256:…, --endpoint URL, or the program after --)',
    )
    expect(refused({ ...unstarted, endpoint: ['http://a'], replicas: '3' }).message).toMatch(
      /^--replicas is 3, and --endpoint names 1/,
    )
    expect(refused({ ...unstarted, words: ['x'], endpoint: ['http://a'] }).message).toMatch(
      /^--endpoint names an engine that is up/,
    )
    expect(refused({ ...unstarted, words: ['x'], weights: '/a' }).message).toMatch(/^--weights is about containers/)
  })

  it('is judged alone', () => {
    expect(refusalOf({ engine: 'vllm' })).toBeNull()
    expect(refusalOf({ engineVersion: 'nightly' })).toMatch(/no single version/)
    expect(refusalOf({ engine: 'llama-server', words: ['llama-server', '--model', 'x'] })).toMatch(/owned by model.id/)
    expect(refusalOf({ endpoint: ['http://127.0.0.1:8000'] })).toBeNull()
    expect(refusalOf({ endpoint: ['nowhere'] })).toMatch(/^--endpoint/)
  })
})
