import { describe, expect, it } from 'vitest'
import { generatedArguments, ownedArgumentsIn } from '../../../src/core/dialect/arguments.ts'
import { DIALECTS } from '../../../src/core/dialect/choose.ts'
import type { Dialect } from '../../../src/core/dialect/dialect.ts'
import { DYNAMO } from '../../../src/core/dialect/dynamo-table.ts'
import { LLAMA_CPP_PYTHON } from '../../../src/core/dialect/llama-cpp-python-table.ts'
import { LLAMA_SERVER } from '../../../src/core/dialect/llama-server-table.ts'
import { LLM_D_SIM } from '../../../src/core/dialect/llm-d-sim-table.ts'
import { SGLANG } from '../../../src/core/dialect/sglang-table.ts'
import { TENSORRT_LLM } from '../../../src/core/dialect/tensorrt-llm-table.ts'
import { commit, denseInput, withChanges } from './dense-manifest.ts'

const place = { port: 8002, replica: 2 }
const said = (dialect: Dialect, input = denseInput) => generatedArguments(dialect, input, place).join(' ')
const owners = (dialect: Dialect, args: string[], input = denseInput) =>
  ownedArgumentsIn(dialect, args, input).map(({ flag, owner }) => `${flag} ${owner}`)

describe('what the manifest freezes, in each engine’s words', () => {
  it.each([
    [
      SGLANG,
      `--model-path acme/dense-70b --served-model-name acme/dense-70b --revision ${commit} --dtype bfloat16 ` +
        '--context-length 16384 --kv-cache-dtype auto --tensor-parallel-size 2 --pipeline-parallel-size 1 ' +
        '--sampling-defaults openai --random-seed 0 --host 127.0.0.1 --port 8002 --enable-metrics --enable-cache-report',
    ],
    [
      TENSORRT_LLM,
      `acme/dense-70b --revision ${commit} --max_seq_len 16384 --tp_size 2 --pp_size 1 --host 127.0.0.1 --port 8002`,
    ],
    [LLAMA_SERVER, '--model acme/dense-70b --alias acme/dense-70b --seed 0 --host 127.0.0.1 --port 8002 --metrics'],
    [
      LLAMA_CPP_PYTHON,
      '--model acme/dense-70b --model_alias acme/dense-70b --n_ctx 16384 --seed 0 --interrupt_requests false ' +
        '--host 127.0.0.1 --port 8002',
    ],
    [DYNAMO, '--http-host 127.0.0.1 --http-port 8002'],
    [
      LLM_D_SIM,
      '--model acme/dense-70b --served-model-name acme/dense-70b --max-model-len 16384 --enable-kvcache --seed 0 --port 8002',
    ],
  ])('$id', (dialect, expected) => {
    expect(said(dialect)).toBe(expected)
  })

  it('follows the fields', () => {
    const off = withChanges({ kv_cache_dtype: 'bf16', quantization: 'awq' }, { prefix_cache: 'disabled' })
    expect(said(SGLANG, off)).toMatch(/--kv-cache-dtype bf16 --quantization awq .* --disable-radix-cache /)
    expect(said(LLAMA_SERVER, off)).toMatch(/--cache-type-k bf16 --cache-type-v bf16 --no-cache-prompt /)
    expect(said(LLAMA_SERVER, withChanges({ kv_cache_dtype: 'fp16' }))).toMatch(/--cache-type-k f16 --cache-type-v f16/)
    expect(said(LLM_D_SIM, off)).not.toMatch(/kvcache/)
    const inOne = withChanges({}, { deploy: { kind: 'process', router: { kind: 'engine' } } })
    expect(said(SGLANG, inOne)).toMatch(/--data-parallel-size 4/)
  })
})

describe('what is refused in the subject’s own', () => {
  it.each([
    [SGLANG, ['--tp', '8', '--dp=2', '--disable_radix_cache', '--speculative-algo', 'EAGLE', '--config', 'x.yaml'], 5],
    [SGLANG, ['--mem-fraction-static', '0.9', '--max-running-requests', '256', '--chunked-prefill-size', '8192'], 0],
    [SGLANG, ['--enable-metrics', '--enable-metrics-for-all-schedulers', '--torchao-config', 'x'], 3],
    [SGLANG, ['--stream-interval', '1', '--schedule-policy', 'lpm'], 0],
    [TENSORRT_LLM, ['trtllm-serve', 'serve', 'evil/model', '--tp_size', '8', '--extra_llm_api_options', 'x.yaml'], 3],
    [TENSORRT_LLM, ['trtllm-serve', '--max_batch_size', '64', '--trust_remote_code', '--max-seq-len=1'], 1],
    [TENSORRT_LLM, ['trtllm-serve', '--max_num_tokens', '8192', '--kv_cache_free_gpu_memory_fraction', '0.9'], 0],
    [LLAMA_SERVER, ['llama-server', '-m', 'x.gguf', '-ctk', 'q8_0', '-hf', 'a/b', '-s', '7', '-md', 'd.gguf'], 5],
    [
      LLAMA_SERVER,
      ['llama-server', '-c', '32768', '-np', '8', '-ngl', '99', '-sm', 'row', '-fa', 'on', '-sp', '-b', '2048'],
      0,
    ],
    [LLAMA_SERVER, ['llama-server', '--no-cache-prompt', '--embeddings', '--temperature', '1'], 3],
    [LLAMA_SERVER, ['llama-server', '-mg', '1', '-j', '{}', '--presence-penalty', '1', '-l', '15043-1'], 4],
    [TENSORRT_LLM, ['trtllm-serve', '--hf_revision', 'x', '--gpus_per_node', '8', '--max_beam_width=4'], 3],
    [LLAMA_CPP_PYTHON, ['--n_ctx', '512', '--type-k', '8', '--interrupt-requests', 'true', '--n_gpu_layers', '-1'], 3],
    [DYNAMO, ['python', '-m', 'dynamo.frontend', '--http-port', '1', '--router-mode', 'kv', '-i'], 2],
    [LLM_D_SIM, ['--fake-metrics', '{}', '--config=a.yaml', '--time-to-first-token', '20ms', '--max-num-seqs', '8'], 2],
  ])('of $id: %j', (dialect, args, count) => {
    expect(owners(dialect, args)).toHaveLength(count)
  })

  it('names the owner', () => {
    expect(owners(SGLANG, ['--tp', '8', '--random-se', '3'])).toEqual([
      '--tp engine.placement.tp',
      '--random-se the gate',
    ])
    expect(owners(TENSORRT_LLM, ['trtllm-serve', 'evil'])).toEqual(['evil model.id'])
    expect(owners(LLAMA_SERVER, ['-ctv', 'q4_0'])).toEqual(['-ctv model.kv_cache_dtype'])
  })

  it('leaves to the subject what only it can say of something enabled', () => {
    const drafting = withChanges({}, { speculative_decoding: 'enabled' })
    expect(owners(SGLANG, ['--speculative-algorithm', 'EAGLE'], drafting)).toEqual([])
    expect(owners(LLAMA_SERVER, ['-md', 'd.gguf', '--spec-type', 'draft-simple'], drafting)).toEqual([])
    const split = withChanges({}, { disaggregated_prefill: 'enabled' })
    expect(owners(SGLANG, ['--disaggregation-mode', 'prefill'], split)).toEqual([])
  })

  it.each(DIALECTS)('of $id is what the gate itself generates', (dialect) => {
    const args = generatedArguments(dialect, denseInput, place).filter((argument) => argument.startsWith('--'))
    expect(ownedArgumentsIn(dialect, args).map(({ flag }) => flag)).toEqual(args)
  })
})
