import { isHandedOn } from '../dialect/arguments.ts'
import { unprovenBy } from '../dialect/unproven.ts'
import { showNumber } from '../manifest/finding.ts'
import { yamlScalar } from '../manifest/yaml-scalar.ts'
import { patternLines } from '../schedule/trace/profile/manifest-fragment.ts'
import type { Answers } from './answers.ts'
import type { SizedLoad } from './sized-load.ts'
import type { Traffic } from './traffic.ts'

/** The seed of order and gaps: any number will do, as long as it stays. */
const SEED = 20_260_911

/** What the manifest's context must hold: the longest class, to the next thousand and twenty-four. */
function usualContext({ fragment }: Traffic): number {
  const longest = Math.max(...fragment.workload.map((shape) => shape.input_tokens + shape.output_tokens))
  return Math.ceil(longest / 1024) * 1024
}

/** The manifest as YAML, with a comment for each choice; what only a person can decide says EDIT. */
export function manifestText(answers: Answers, traffic: Traffic, load: SizedLoad): string {
  return [
    '# What is frozen so that two revisions of an engine can be compared: written by `capacity-gate init`.',
    '# Look at each line that says EDIT before the first baseline: a later change of anything but the engine’s version, image and',
    '# arguments makes another experiment, whose capacity is not compared with the old one’s.',
    'gate:',
    `  id: ${yamlScalar(answers.gateId)} # baselines and comments are kept under it`,
    ...modelLines(answers, traffic),
    ...engineLines(answers),
    ...clientLines(answers, traffic, load),
    ...workloadLines(traffic),
    ...cacheLines(traffic, load),
    ...sweepLines(load),
    ...acceptanceLines(answers, load),
    '',
  ].join('\n')
}

function modelLines({ model, dialect, deploy }: Answers, traffic: Traffic): string[] {
  const isOwnStart = deploy.kind !== 'endpoint'
  const isContextSet = !isOwnStart || isHandedOn(dialect, 'model.max_model_len')
  const context = model.maxModelLen ?? (isContextSet ? usualContext(traffic) : null)
  return [
    'model:',
    `  id: ${yamlScalar(model.id)}`,
    `  revision: ${yamlScalar(model.revision)}`,
    `  tokenizer_revision: ${yamlScalar(model.tokenizerRevision)}`,
    `  precision: ${yamlScalar(model.precision)}`,
    ...(context === null
      ? []
      : [
          '  # EDIT: the longest context, input and output together; at most what the model has.',
          `  max_model_len: ${context}`,
        ]),
    ...(dialect.request.promptTokenIds
      ? [
          '  # EDIT: prompts are drawn from these ids: inside the vocabulary, and clear of special tokens.',
          `  prompt_token_ids: [${model.tokenIds.join(', ')}]`,
        ]
      : []),
  ]
}

function engineLines({ dialect, version, placement, deploy }: Answers): string[] {
  const { tp, pp, replicas, gpus } = placement
  return [
    'engine:',
    `  name: ${yamlScalar(dialect.id)}`,
    '  # An upgrade is a change of this, and of the image, the arguments and the environment below.',
    `  version: ${yamlScalar(version)}`,
    '  # tp × pp GPUs for each replica; dp is the number of replicas.',
    `  placement: { tp: ${tp}, pp: ${pp}, dp: ${replicas}, replicas: ${replicas}, gpus: ${gpus} }`,
    '  deploy:',
    `    kind: ${deploy.kind}`,
    ...deployLines(deploy, gpus),
  ]
}

const OWN_ARGUMENTS =
  '    # Model, precision, lengths, parallelism and ports are handed over from this file: they are refused here.'

function deployLines(deploy: Answers['deploy'], gpus: number): string[] {
  switch (deploy.kind) {
    case 'docker':
      return [
        `    image: ${yamlScalar(deploy.image)}`,
        OWN_ARGUMENTS,
        ...listLines('args', deploy.args),
        '    # EDIT: the folder of the staged weights, mounted read-only. Nothing is fetched in a run.',
        `    weights: ${yamlScalar(deploy.weights)}`,
        '    # compile_cache: /data/compile-cache # kernels that are kept from one boot to the next',
        '    # cpus: { engine: "0-79", client: "80-95" } # keep the load generator’s CPUs clear of the engine',
      ]
    case 'process':
      return [
        OWN_ARGUMENTS,
        ...listLines('argv', deploy.argv),
        ...(gpus === 0 ? [] : ['    gpus: auto # the first ones']),
      ]
    case 'endpoint':
      return [
        '    # Nothing proves which revision runs there: what is measured so can never become a baseline.',
        ...listLines('urls', deploy.urls),
      ]
  }
}

function listLines(name: string, items: readonly string[]): string[] {
  if (items.length === 0) return [`    ${name}: []`]
  return [`    ${name}:`, ...items.map((item) => `      - ${yamlScalar(item)}`)]
}

function clientLines({ dialect }: Answers, traffic: Traffic, load: SizedLoad): string[] {
  const { client } = traffic.fragment
  const counts = Object.entries(load.counts).map(([name, count]) => `    ${yamlScalar(name)}: ${count}`)
  return [
    'client:',
    '  streaming: true',
    `  arrival_pattern: ${client.arrival_pattern}`,
    ...patternLines(client),
    ...(dialect.request.promptTokenIds ? [] : ['  prompt: text # this engine takes no token ids']),
    '  # The frozen schedule: each point replays these requests, whatever its rate.',
    `  initial_scheduled_requests: ${load.initialRequests}`,
    '  class_schedule_counts:',
    ...counts,
    ...(traffic.extensionRequests === 0
      ? []
      : [
          `  extension_requests: ${traffic.extensionRequests} # more, where a class is short of its floor of successes`,
        ]),
    `  request_schedule_seed: ${SEED}`,
    '  warmup_seconds: 60',
    `  minimum_duration_seconds: ${load.minimumSeconds}`,
    `  maximum_duration_seconds: ${load.maximumSeconds} # the schedule at the lowest rate must fit`,
    `  request_timeout_seconds: ${Math.max(120, client.request_timeout_seconds)}`,
    '  automatic_retries: false',
  ]
}

function workloadLines({ fragment, origin }: Traffic): string[] {
  return [
    ...origin.map((line) => `# ${line}`),
    '# EDIT the cutoffs: what a user of that class calls too late, not what the engine reaches today.',
    'workload:',
    ...fragment.workload.flatMap((shape) => [
      `  - name: ${yamlScalar(shape.name)}`,
      `    mix: ${shape.mix}`,
      `    input_tokens: ${shape.input_tokens}`,
      `    output_tokens: ${shape.output_tokens}`,
      `    request_ttft_cutoff_ms: ${shape.request_ttft_cutoff_ms}`,
      `    request_tpot_cutoff_ms: ${shape.request_tpot_cutoff_ms}`,
    ]),
  ]
}

function cacheLines({ reuseShare }: Traffic, { warm }: SizedLoad): string[] {
  const share = reuseShare === null ? null : showNumber(Math.round(reuseShare * 1000) / 10)
  const from = share === null ? 'EDIT: your system prompts' : `${share} % of the trace’s prompts came before`
  return [
    '# Cold: no prompt meets another in the cache. Warm: prompts share prefixes, counted inside input_tokens.',
    'cache:',
    '  cold: {}',
    ...(warm === null
      ? ['  # No warm state: the prompts are too short, or share too little, for its hits to be told from none.']
      : [
          `  # ${from}; fewer hits than hit_rate_min fail the point.`,
          `  warm: { prefix_set: v1, count: 64, tokens: ${warm.tokens}, hit_rate_min: ${warm.hitRateMin} }`,
        ]),
  ]
}

function sweepLines({ ratesRps, ratesNote }: SizedLoad): string[] {
  return ['sweep:', `  # ${ratesNote}`, `  rates_rps: ${ratesRps === 'auto' ? 'auto' : `[${ratesRps.join(', ')}]`}`]
}

/** What a manifest requires by default. */
const USUAL_EVIDENCE = ['identity', 'client', 'queue', 'cache_hit', 'stability'] as const

function acceptanceLines({ dialect }: Answers, load: SizedLoad): string[] {
  const unproven = unprovenBy(dialect)
  const missing = new Set<string>(unproven.map(({ group }) => group))
  const required = USUAL_EVIDENCE.filter((group) => !missing.has(group))
  return [
    '# A rate is carried where every class meets all of this.',
    'acceptance:',
    '  class_slo_attainment_min: 0.95',
    `  min_successful_samples_per_class: ${load.floor}`,
    '  error_rate_max: 0.01',
    '  class_error_rate_max: 0.01',
    '  queue_trend_required: flat',
    '  target_utilization: 0.75 # what planning counts on; no gate',
    ...(missing.size === 0
      ? []
      : [
          `  # Without ${[...missing].join(', ')}: ${dialect.title} is not known to show its ${unproven.map(({ what }) => what).join(', ')}.`,
          `  required_evidence: [${required.join(', ')}]`,
        ]),
  ]
}
