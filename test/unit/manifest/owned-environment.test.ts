import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { readManifest } from '../../../src/core/manifest/read.ts'

const PACK = new URL('../../../fixtures/packs/embedded/workload-manifest.yaml', import.meta.url)

/** What is found of the environment of an engine that is started so. */
function found(dialect: string, words: readonly string[]): string[] {
  const manifest = parse(readFileSync(PACK, 'utf8'))
  manifest.engine.dialect = dialect
  manifest.engine.deploy.argv = words
  const { findings } = readManifest(stringify(manifest), { level: 'valid' })
  return findings.flatMap(({ rule, path, message }) => (rule === 'owned-environment' ? [`${path} ${message}`] : []))
}

describe('a process that env starts', () => {
  it('is refused what the manifest owns', () => {
    expect(found('vllm', ['env', 'OMP_NUM_THREADS=4', 'VLLM_DP_SIZE=2', 'python', '--x'])).toEqual([
      'engine.deploy.argv[2] the environment variable VLLM_DP_SIZE is owned by engine.placement.dp',
    ])
    expect(found('llama-server', ['env', 'LLAMA_ARG_CTX_SIZE=9', 'llama-server'])).toHaveLength(1)
    expect(found('llama-cpp-python', ['env', 'n_ctx=512', 'python'])).toHaveLength(1)
  })

  it('is left what tunes it', () => {
    expect(found('vllm', ['env', 'OMP_NUM_THREADS=4', 'python', '--port-like=VLLM_PORT=1'])).toEqual([])
  })
})
