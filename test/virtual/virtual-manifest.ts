import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { SMALL_ENGINE } from '../../fixtures/engine/model/parameters.ts'
import { WORKED_EXAMPLE_8XH100 } from '../../fixtures/engine/model/worked-example.ts'
import type { Manifest } from '../../src/core/manifest/schema.ts'
import { manifestSchema } from '../../src/core/manifest/schema.ts'
import { NO_NOISE } from './virtual-engine.ts'
import type { VirtualNoise, VirtualSubject } from './virtual-engine.ts'

type Raw = Record<string, unknown>

const PACKS = new URL('../../fixtures/packs/', import.meta.url)

/** What is changed in a section of a manifest. */
export type ManifestChange = Partial<Record<'model' | 'engine' | 'client' | 'cache' | 'sweep' | 'acceptance', Raw>>

function changed(pack: string, changes: readonly ManifestChange[]): Manifest {
  const raw = parse(readFileSync(new URL(`${pack}/workload-manifest.yaml`, PACKS), 'utf8')) as Raw
  for (const change of changes) {
    for (const [section, fields] of Object.entries(change)) raw[section] = { ...(raw[section] as Raw), ...fields }
  }
  return manifestSchema.parse(raw)
}

const DEPLOY = { kind: 'process', argv: ['{node}', 'virtual-engine.js', '--port', '{port}'], first_port: 18000 }

/**
 * The worked example, made deployable in virtual time: 8 GPUs, four replicas, both cache states, 16/20/24/28 RPS, extension from
 * 22,000 to 24,000 requests.
 */
export function workedExample(...changes: readonly ManifestChange[]): Manifest {
  return changed('worked-example', [
    {
      engine: { name: 'fixture', deploy: DEPLOY },
      client: { extension_requests: 2000 },
      cache: {
        cold: { isolate: 'unique_tokens', restart: 'per_state', hit_rate_max: 0.01 },
        warm: { prefix_set: 'v1', count: 64, tokens: 256, law: 'zipf', exponent: 1, hit_rate_min: 0.09 },
      },
      sweep: { rates_rps: [16, 20, 24, 28], refine_step: 0.02, repeats: 3 },
    },
    ...changes,
  ])
}

/** The embedded engine's own small manifest: two replicas, 600 requests a point, short windows. */
export function smallExample(...changes: readonly ManifestChange[]): Manifest {
  return changed('embedded', changes)
}

export function manifestText(manifest: Manifest): string {
  return stringify(manifest)
}

/** The revision that the worked example was fitted to: four H100 pairs' worth of engine. */
export function workedSubject(noise: Partial<VirtualNoise> = {}): VirtualSubject {
  return { parameters: WORKED_EXAMPLE_8XH100, noise: { ...NO_NOISE, ...noise } }
}

export function smallSubject(noise: Partial<VirtualNoise> = {}): VirtualSubject {
  return { parameters: SMALL_ENGINE, noise: { ...NO_NOISE, ...noise } }
}
