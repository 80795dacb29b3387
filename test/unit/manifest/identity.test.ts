import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/core/kernel/canonical.ts'
import { differingFields, gateId, identify } from '../../../src/core/manifest/identity.ts'
import { schemaLeaves } from '../../../src/core/manifest/schema-walk.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { edited, packManifest, read } from './marked-manifests.ts'

function manifestOf(text: string): Manifest {
  const { manifest, findings } = read(text)
  if (manifest === null) throw new Error(JSON.stringify(findings))
  return manifest
}

function hashes(manifest: Manifest) {
  const { experiment, subject } = identify(manifest)
  return { experiment: experiment.sha256, subject: subject.sha256 }
}

const h100 = packManifest('h100-vllm')
const full = manifestOf(h100)
const base = hashes(full)

/** Every scalar of a value, with its path. */
function scalars(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => scalars(item, [...path, index]))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => scalars(item, [...path, key]))
  }
  return [path]
}

/** A copy of a manifest with one scalar changed: schema and rules play no part in hashing. */
function changed(manifest: Manifest, path: readonly (string | number)[]): Manifest {
  const copy = structuredClone(manifest) as unknown as Record<string | number, unknown>
  const parent = path.slice(0, -1).reduce<Record<string | number, unknown>>((at, part) => at[part] as typeof copy, copy)
  const last = path.at(-1) ?? ''
  const was = parent[last]
  parent[last] = typeof was === 'number' ? was + 1 : typeof was === 'boolean' ? !was : `${String(was)}x`
  return copy as unknown as Manifest
}

/** The tag of a scalar, from the list of leaves: the longest leaf that its path lies in. */
function tagOf(path: readonly (string | number)[]) {
  const name = path
    .map((part) => (typeof part === 'number' ? '[]' : `.${part}`))
    .join('')
    .slice(1)
  const within = schemaLeaves().filter(
    (leaf) => name === leaf.path || name.startsWith(`${leaf.path}.`) || name.startsWith(`${leaf.path}[`),
  )
  return within.toSorted((a, b) => b.path.length - a.path.length)[0]?.tag
}

describe('the tags', () => {
  it('stand on every leaf of the schema', () => {
    expect(schemaLeaves().filter((leaf) => leaf.tag === null)).toEqual([])
    expect(schemaLeaves().filter((leaf) => !leaf.description)).toEqual([])
    expect(schemaLeaves().length).toBeGreaterThan(80)
  })
})

describe('identity', () => {
  it.each(scalars(full).map((path) => [path.join('.'), path] as const))(
    'of %s: it counts where its tag says',
    (_name, path) => {
      const tag = tagOf(path)
      const now = hashes(changed(full, path))
      expect(tag).toBeDefined()
      // A deployment of another kind has other fields altogether.
      const isKind = path.join('.') === 'engine.deploy.kind'
      expect(now.experiment !== base.experiment).toBe(tag === 'experiment' || isKind)
      expect(now.subject !== base.subject).toBe(tag === 'subject' || isKind)
    },
  )

  it('does not change with comments, the order of keys, or the form of the YAML', () => {
    const flow = JSON.stringify(full)
    const reordered = edited(
      h100,
      'streaming: true\n  arrival_pattern: poisson',
      'arrival_pattern: poisson\n  streaming: true',
    )
    const counts = edited(h100, '{interactive: 15400, long_context: 4400,', '{long_context: 4400, interactive: 15400,')
    const commented = h100.replaceAll('\n', ' # x\n')
    for (const text of [flow, reordered, counts, commented]) expect(hashes(manifestOf(text))).toEqual(base)
  })

  it('does not change when a default is stated', () => {
    const worked = packManifest('worked-example')
    const stated = edited(
      worked,
      '  target_utilization: 0.75',
      '  target_utilization: 0.75\n  capacity_tolerance: 0.04\n  latency_origin: send',
    )
    const sampled = edited(
      stated,
      'automatic_retries: false',
      'automatic_retries: false\n  sampling: {temperature: 0}\n  endpoint: completions',
    )
    expect(hashes(manifestOf(sampled))).toEqual(hashes(manifestOf(worked)))
    const other = edited(worked, '  target_utilization: 0.75', '  target_utilization: 0.75\n  capacity_tolerance: 0.05')
    expect(hashes(manifestOf(other)).experiment).not.toBe(hashes(manifestOf(worked)).experiment)
  })

  it('changes with the order of classes: the schedule is drawn in it', () => {
    const swapped = { ...full, workload: full.workload.toReversed() }
    expect(hashes(swapped).experiment).not.toBe(base.experiment)
  })

  it('holds the fields of one tag only', () => {
    const { experiment, subject } = identify(full)
    expect(subject.value).toEqual({
      engine: {
        name: 'vllm',
        version: '0.32.0',
        deploy: {
          image: 'vllm/vllm-openai@sha256:3c1f7a5e9b2d4068acef13579bdf02468ace13579bdf02468ace0f1e2d3c4b5a',
          args: ['--max-num-seqs', '256'],
          env: { VLLM_HTTP_TIMEOUT_KEEP_ALIVE: '75' },
          router: { kind: 'client', policy: 'round_robin' },
        },
      },
    })
    expect(JSON.stringify(experiment.value)).not.toMatch(/0\.32\.0|rates_rps|first_port|location|target_utilization/)
  })

  it('is the same on every machine', () => {
    expect(hashes(manifestOf(packManifest('worked-example')))).toMatchInlineSnapshot(`
      {
        "experiment": "6da3e4f3ceb022b255580ee2505bb03cbcb41c75eda6b6a762a5eb245672a7f2",
        "subject": "2d57dec312608d0a37fe180bbb08a67a8134f9c7c0de2eafca80e6e9e8d6fa36",
      }
    `)
  })
})

describe('differingFields', () => {
  it('names each leaf with both values', () => {
    const now = identify(changed(full, ['workload', 2, 'mix'])).experiment.value
    expect(differingFields(identify(full).experiment.value, now)).toEqual([
      { path: 'workload[2].mix', base: 0.1, now: 1.1 },
    ])
    expect(differingFields({ a: 1 }, { b: [1] })).toEqual([
      { path: 'a', base: 1, now: undefined },
      { path: 'b', base: undefined, now: [1] },
    ])
    expect(differingFields({ a: [1, 2] }, { a: [1] })).toEqual([{ path: 'a[1]', base: 2, now: undefined }])
    expect(differingFields({ a: null }, { a: {} })).toEqual([{ path: 'a', base: null, now: {} }])
  })

  it('is empty exactly for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const [a, b] = [JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right))] as [JsonValue, JsonValue]
        expect(differingFields(a, a)).toEqual([])
        const isEqual = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        expect(differingFields(a, b).length === 0).toBe(isEqual)
      }),
    )
  })
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { entries: entries.map(([key, item]) => [key, sorted(item)]) }
}

describe('gateId', () => {
  it.each([
    ['gate.id', { ...full, gate: { id: 'My Gate / 8×H100' } }, 'my-gate-8-h100'],
    ['model.id', { ...full, gate: undefined, model: { ...full.model, id: 'acme/Dense-70B_v2' } }, 'acme-dense-70b-v2'],
    ['nothing usable', { ...full, gate: { id: '../..' } }, 'gate'],
    ['a very long name', { ...full, gate: { id: 'x'.repeat(200) } }, 'x'.repeat(64)],
  ])('comes from %s', (_what, manifest, id) => {
    expect(gateId(manifest as Manifest)).toBe(id)
  })
})
