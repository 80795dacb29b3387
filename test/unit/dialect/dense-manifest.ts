import { readFileSync } from 'node:fs'
import type { DialectInput } from '../../../src/core/dialect/dialect.ts'
import { identify } from '../../../src/core/manifest/identity.ts'
import { readManifest } from '../../../src/core/manifest/read.ts'

export const commit = '6f0d3a9c2b71e84d5c0f9a1b3e7d2468ace01357'

/** What a dialect reads of the manifest for eight H100. */
export const denseInput: DialectInput = {
  model: {
    id: 'acme/dense-70b',
    revision: commit,
    tokenizer_revision: commit,
    precision: 'bf16',
    max_model_len: 16384,
    kv_cache_dtype: 'auto',
    quantization: 'none',
    chat_template_sha256: 'none',
  },
  engine: {
    name: 'vllm',
    version: '0.32.0',
    placement: { tp: 2, pp: 1, dp: 4, replicas: 4, gpus: 8 },
    prefix_cache: 'enabled',
    speculative_decoding: 'disabled',
    disaggregated_prefill: 'disabled',
    deploy: { kind: 'docker', router: { kind: 'client' } },
  },
}

/** The same with changes. */
export function withChanges(
  model: Partial<DialectInput['model']>,
  engine: Partial<DialectInput['engine']> = {},
): DialectInput {
  return { model: { ...denseInput.model, ...model }, engine: { ...denseInput.engine, ...engine } }
}

const pack = new URL('../../../fixtures/packs/h100-vllm/workload-manifest.yaml', import.meta.url)

/** The whole manifest with a dialect stated, as YAML, and what reading it finds. */
export function denseManifest(dialect: string, subject?: string) {
  const text = readFileSync(pack, 'utf8').replace('name: vllm\n', `name: vllm\n  dialect: ${dialect}\n`)
  const read = readManifest(text, { level: 'valid', ...(subject === undefined ? {} : { subject }) })
  return { ...read, identity: read.manifest === null ? null : identify(read.manifest) }
}
