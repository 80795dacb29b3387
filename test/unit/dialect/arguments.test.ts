import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generatedArguments, ownedArgumentsIn } from '../../../src/core/dialect/arguments.ts'
import { FIXTURE } from '../../../src/core/dialect/fixture-table.ts'
import { OPENAI } from '../../../src/core/dialect/openai-table.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { commit, denseInput as input, withChanges } from './dense-manifest.ts'

const place = { port: 8002, replica: 2 }

describe('generatedArguments', () => {
  it('says to vLLM all that the manifest freezes', () => {
    expect(generatedArguments(VLLM, input, place).join(' ')).toBe(
      [
        `--model acme/dense-70b --served-model-name acme/dense-70b --revision ${commit} --code-revision ${commit}`,
        `--tokenizer-revision ${commit} --dtype bfloat16 --max-model-len 16384 --kv-cache-dtype auto`,
        '--tensor-parallel-size 2 --pipeline-parallel-size 1 --enable-prefix-caching --generation-config vllm',
        '--seed 0 --host 127.0.0.1 --port 8002 --enable-prompt-tokens-details',
      ].join(' '),
    )
  })

  it('leaves out what is not declared, and what only a hub could resolve', () => {
    const local = `sha256:${'a'.repeat(64)}`
    const args = generatedArguments(
      VLLM,
      withChanges({ revision: local, tokenizer_revision: local, max_model_len: undefined }),
      place,
    )
    expect(args).not.toContain('--revision')
    expect(args).not.toContain('--tokenizer-revision')
    expect(args).not.toContain('--max-model-len')
  })

  it('follows the fields', () => {
    const changed = withChanges(
      { precision: 'fp32', quantization: 'awq', kv_cache_dtype: 'fp8' },
      { prefix_cache: 'disabled' },
    )
    const args = generatedArguments(VLLM, changed, place).join(' ')
    expect(args).toContain('--dtype float32')
    expect(args).toContain('--quantization awq')
    expect(args).toContain('--kv-cache-dtype fp8')
    expect(args).toContain('--no-enable-prefix-caching')
  })

  it('puts every replica into one engine where the router is the engine', () => {
    const args = generatedArguments(
      VLLM,
      withChanges({}, { deploy: { kind: 'docker', router: { kind: 'engine' } } }),
      place,
    )
    expect(args.join(' ')).toContain('--data-parallel-size 4')
    expect(generatedArguments(VLLM, input, place)).not.toContain('--data-parallel-size')
  })

  it('says nothing to engines whose arguments it does not know', () => {
    expect(generatedArguments(OPENAI, input, place)).toEqual([])
    expect(generatedArguments(FIXTURE, input, place)).toEqual([])
  })
})

describe('ownedArgumentsIn', () => {
  it.each([
    ['--model', '--model', 'model.id'],
    ['--model=x', '--model', 'model.id'],
    ['--max_model_len', '--max-model-len', 'model.max_model_len'],
    ['--max-model', '--max-model-len', 'model.max_model_len'],
    ['--tensor-par=8', '--tensor-parallel-size', 'engine.placement.tp'],
    ['-tp', '--tensor-parallel-size', 'engine.placement.tp'],
    ['-tp=8', '--tensor-parallel-size', 'engine.placement.tp'],
    ['-dp', '--data-parallel-size', 'engine.placement.dp'],
    ['-q', '--quantization', 'model.quantization'],
    ['-sc', '--speculative-config', 'engine.speculative_decoding'],
    ['--speculative_config.model', '--speculative-config', 'engine.speculative_decoding'],
    ['--spec-model', '--spec-model', 'engine.speculative_decoding'],
    ['--no-enable-prefix-caching', '--enable-prefix-caching', 'engine.prefix_cache'],
    ['--no_enable_prefix_caching', '--enable-prefix-caching', 'engine.prefix_cache'],
    ['--speculative-model', '--speculative-model', 'engine.speculative_decoding'],
    ['--calculate_kv_scales', '--calculate-kv-scales', 'model.kv_cache_dtype'],
    ['-pcp', '--prefill-context-parallel-size', 'engine.placement.tp'],
    ['--nnodes', '--nnodes', 'engine.placement.tp'],
    ['--enable-lora', '--enable-lora', 'model.id'],
    ['--logits-processors', '--logits-processors', 'client.sampling'],
    ['--config', '--config', 'the gate'],
    ['--port', '--port', 'engine.deploy.first_port'],
  ])('finds %s', (written, argument, owner) => {
    const value = /=|^--(?:no[-_]|enable|calc)/.test(written) ? [] : ['x']
    const found = ownedArgumentsIn(VLLM, ['--max-num-seqs', '256', written, ...value], input)
    expect(found).toEqual([{ index: 2, flag: written.split('=')[0], argument, owner }])
  })

  it('finds a model that stands as a bare word', () => {
    expect(ownedArgumentsIn(VLLM, ['vllm', 'serve', 'acme/other', '--max-num-seqs', '8'])).toMatchObject([
      { index: 2, owner: 'model.id' },
    ])
    expect(ownedArgumentsIn(VLLM, ['vllm', 'serve', '--max-num-seqs', '8'])).toEqual([])
  })

  it('finds a single letter and its value in one word', () => {
    expect(ownedArgumentsIn(VLLM, ['-qfp8'])).toMatchObject([
      { argument: '--quantization', owner: 'model.quantization' },
    ])
  })

  it.each([
    ['first of a container’s arguments', ['acme/other'], 0],
    ['after the word for serving', ['serve', 'acme/other'], 1],
    ['after a switch', ['--enforce-eager', 'acme/other'], 1],
    ['after a switch, underscored', ['--enable_chunked_prefill', 'acme/other'], 1],
    ['after a switch that is negated', ['--no-async-scheduling', 'acme/other'], 1],
    ['after a flag with its value', ['--block-size=16', 'acme/other'], 1],
    ['after the end of flags', ['--', 'acme/other'], 1],
  ])('finds a model that stands as a bare word %s', (_, args, index) => {
    expect(ownedArgumentsIn(VLLM, args, input)).toMatchObject([{ index, argument: '--model', owner: 'model.id' }])
  })

  it('takes no program of a process for a model', () => {
    const process = withChanges({}, { deploy: { kind: 'process' } })
    const argv = ['numactl', '--cpunodebind=0', 'vllm', 'serve', '--max-num-seqs', '8', '--enforce-eager']
    expect(ownedArgumentsIn(VLLM, argv, process)).toEqual([])
    expect(ownedArgumentsIn(VLLM, ['python3', '-m', 'vllm.entrypoints.openai.api_server'], process)).toEqual([])
    expect(ownedArgumentsIn(VLLM, [...argv, 'acme/other'], process)).toMatchObject([{ index: 7, owner: 'model.id' }])
  })

  it('finds every owned argument, in every spelling', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VLLM.arguments), fc.boolean(), fc.boolean(), (argument, underscores, inline) => {
        const long = underscores ? argument.long.replaceAll('-', '_') : argument.long
        const written = `--${long}${inline ? '=1' : ''}`
        expect(ownedArgumentsIn(VLLM, [written])).toMatchObject([{ argument: `--${argument.long}` }])
        expect(
          argument.aliases.map(
            (alias) => ownedArgumentsIn(VLLM, [alias.startsWith('-') ? alias : `--${alias}`]).length,
          ),
        ).toEqual(argument.aliases.map(() => 1))
      }),
    )
  })

  it('finds what the generator writes, so that nothing generated can be overridden unseen', () => {
    const flags = generatedArguments(VLLM, withChanges({ quantization: 'awq' }), place).filter((arg) =>
      arg.startsWith('--'),
    )
    expect(ownedArgumentsIn(VLLM, flags).map((use) => use.flag)).toEqual(flags)
  })

  it('leaves alone what tunes the engine', () => {
    const tuning = [
      '--max-num-seqs',
      '256',
      '--max-num-batched-tokens=8192',
      '--gpu-memory-utilization',
      '0.9',
      '--block-size',
      '16',
    ]
    const more = [
      '--enforce-eager',
      '-O3',
      '--compilation-config.mode',
      '3',
      '--enable-chunked-prefill',
      '--load-format',
      'dummy',
      '-1',
      '-',
      '--',
    ]
    expect(ownedArgumentsIn(VLLM, [...tuning, ...more], input)).toEqual([])
  })

  it('leaves a configuration to the subject where the manifest enables it', () => {
    const args = ['--speculative-config', '{}']
    expect(ownedArgumentsIn(VLLM, args, input)).toHaveLength(1)
    expect(ownedArgumentsIn(VLLM, args, withChanges({}, { speculative_decoding: 'enabled' }))).toEqual([])
    expect(
      ownedArgumentsIn(VLLM, ['--chat-template', 'x'], withChanges({ chat_template_sha256: 'a'.repeat(64) })),
    ).toEqual([])
  })
})
