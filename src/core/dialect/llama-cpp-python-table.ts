import { NO_TIERS } from './cache-tier.ts'
import type { Dialect } from './dialect.ts'
import type { OwnedArgument } from './owned-argument.ts'
import { owned, refused } from './owned-argument.ts'

/** Of `python -m llama_cpp.server`: argparse, one argument for each setting. Switches take a value. */
const LLAMA_CPP_PYTHON_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model', 'model.id', { value: { of: 'model.id' } }),
  owned('model_alias', 'model.id', { value: { of: 'model.id' } }),
  ...refused('model.id', ['hf_model_repo_id', 'lora_base', 'lora_path']),
  ...refused('model.revision', [
    'kv_overrides',
    'rope_scaling_type',
    'rope_freq_base',
    'rope_freq_scale',
    'yarn_ext_factor',
    'yarn_attn_factor',
    'yarn_beta_fast',
    'yarn_beta_slow',
    'yarn_orig_ctx',
  ]),
  ...refused('model.tokenizer_revision', ['hf_tokenizer_config_path', 'hf_pretrained_model_name_or_path']),
  // One sequence at a time: the context is one request's.
  owned('n_ctx', 'model.max_model_len', { value: { of: 'model.max_model_len' } }),
  ...refused('model.kv_cache_dtype', ['type_k', 'type_v']),
  ...refused('model.chat_template_sha256', ['chat_format', 'chat_template_kwargs'], { leftToSubject: 'chat_template' }),
  ...refused('engine.placement.tp', ['rpc_servers']),
  ...refused('engine.prefix_cache', ['cache', 'cache_type', 'cache_size']),
  ...refused('engine.speculative_decoding', ['draft_model', 'draft_model_num_pred_tokens'], {
    leftToSubject: 'speculative_decoding',
  }),
  owned('seed', 'the gate', { value: { text: '0' } }),
  // Else each new request cuts the one that runs.
  owned('interrupt_requests', 'the gate', { value: { text: 'false' } }),
  owned('host', 'the gate', { value: { text: '127.0.0.1' } }),
  owned('port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  ...refused('the gate', ['api_key', 'root_path', 'ssl_keyfile', 'ssl_certfile', 'config_file']),
]

export const LLAMA_CPP_PYTHON: Dialect = {
  id: 'llama-cpp-python',
  title: 'llama-cpp-python',
  names: ['llama_cpp'],
  simulated: false,
  seen: { how: 'records', version: '0.3.36' },
  defaultPort: 8000,
  paths: {
    models: '/v1/models',
    metrics: null,
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  // It has no route for it.
  health: { path: '/v1/models', field: null, healthy: [] },
  // The framework's own page; from its sources.
  version: [{ path: '/openapi.json', field: 'info.version' }],
  ownedBy: ['me'],
  reset: null,
  cacheTiers: NO_TIERS,
  // An id that is no UUID is answered 400.
  requestIdHeader: null,
  connection: { closesAfterMs: 5000, environmentSeconds: null },
  request: {
    promptTokenIds: false,
    maxTokens: { completions: 'max_tokens', chat: 'max_tokens' },
    minTokens: 'min_tokens',
    ignoreEos: null,
    returnTokenIds: null,
    // Usage never comes in a stream, asked for or not.
    includeUsage: null,
    continuousUsage: null,
    cacheSalt: null,
    seed: 'seed',
    unknownFields: 'ignored',
  },
  answer: { tokenIds: null, cachedTokens: null },
  precisions: {},
  arguments: LLAMA_CPP_PYTHON_ARGUMENTS,
  syntax: { prefixes: true, joinedShort: false, positionalModelAfter: [] },
  environment: {},
  // Every setting is read from the variable of its name, in any case.
  ownedEnvironment: {
    ...Object.fromEntries(LLAMA_CPP_PYTHON_ARGUMENTS.map(({ long, owner }) => [long.toUpperCase(), owner])),
    CUDA_VISIBLE_DEVICES: 'engine.deploy.gpus',
    NVIDIA_VISIBLE_DEVICES: 'engine.deploy.gpus',
  },
  metrics: null,
  stability: [],
  stop: { signal: 'SIGTERM', finishesInFlight: null, workersOutliveServer: false, drainSetting: null },
  mends: {},
}
