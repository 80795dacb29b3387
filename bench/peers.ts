// Other load generators against the same truth server, in one run with the minimal client in C and this one; those that are not installed
// are skipped: `npm run bench -- peers [--rate 100] [--seconds 10] [--path FOLDER …]`, where a FOLDER holds their programs.
import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { markdownTable } from 'markdown-table'
import type { Truth } from './native/truth-server.ts'
import { startTruthServer } from './native/truth-server.ts'
import { progress } from './instrument/figure.ts'
import type { PacedRound } from './instrument/paced.ts'
import { measurePaced, PACE, TOKENS } from './instrument/paced.ts'
import type { Peer, PeerPlan, PeerRequest } from './instrument/peer-table.ts'
import { PEERS, PROMPTS, TOKENIZER } from './instrument/peer-table.ts'
import { INPUT_TOKENS } from './instrument/requests.ts'
import { spreadOf } from './instrument/spread.ts'

const WORDS = 2000
const TIMEOUT_MS = 300_000

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    path: { type: 'string', multiple: true, default: [] },
  },
})
const [rateRps, seconds] = [Number(values.rate), Number(values.seconds)]

function programOf(peer: Peer): string | null {
  const folders = [...values.path, ...(process.env['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '')
  for (const folder of folders) {
    const program = join(folder, peer.program)
    try {
      accessSync(program, constants.X_OK)
      return program
    } catch {
      continue
    }
  }
  return null
}

/** A tokenizer of a word a token, so that none has to be fetched, and prompts of its words. */
function writeInputs(folder: string): void {
  const vocabulary = ['<unk>', '</s>', ...Array.from({ length: WORDS }, (_, index) => `w${index}`)]
  const added = ['<unk>', '</s>'].map((content, id) => {
    return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  })
  const vocab = Object.fromEntries(vocabulary.map((word, id) => [word, id]))
  const model = { type: 'WordLevel', vocab, unk_token: '<unk>' }
  const none = { truncation: null, padding: null, normalizer: null, post_processor: null, decoder: null }
  const tokenizer = { version: '1.0', ...none, added_tokens: added, pre_tokenizer: { type: 'WhitespaceSplit' }, model }
  const config = { tokenizer_class: 'PreTrainedTokenizerFast', unk_token: '<unk>', eos_token: '</s>' }
  mkdirSync(join(folder, TOKENIZER))
  writeFileSync(join(folder, TOKENIZER, 'tokenizer.json'), JSON.stringify(tokenizer))
  writeFileSync(join(folder, TOKENIZER, 'tokenizer_config.json'), JSON.stringify(config))
  writeFileSync(join(folder, TOKENIZER, 'config.json'), JSON.stringify({ model_type: 'gpt2', vocab_size: WORDS + 2 }))
  const lines = Array.from({ length: WORDS }, (_, line) => {
    const words = Array.from({ length: INPUT_TOKENS }, (_w, index) => `w${(line * 7 + index) % WORDS}`)
    return `${JSON.stringify({ prompt: words.join(' '), output_tokens_count: TOKENS })}\n`
  })
  writeFileSync(join(folder, PROMPTS), lines.join(''))
}

/** Each request with its truth: by id where the peer sends one, else in order of start; what it sent ahead of them is left out. */
function pairs(requests: readonly PeerRequest[], truths: ReadonlyMap<string, Truth>): [PeerRequest, Truth][] {
  const inOrder = [...truths.values()].toSorted((a, b) => a.receivedUs - b.receivedUs).slice(-requests.length)
  return requests
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .flatMap((request, index) => {
      const truth = request.id === null ? inOrder[index] : truths.get(request.id)
      return truth ? [[request, truth] as [PeerRequest, Truth]] : []
    })
}

const error = (valuesMs: readonly number[]): string => {
  const { p50, p99 } = spreadOf(valuesMs)
  return `${p50.toFixed(2)} / ${p99.toFixed(2)}`
}

async function peerRow(peer: Peer, program: string): Promise<string[]> {
  await using server = await startTruthServer(PACE)
  const folder = mkdtempSync(join(tmpdir(), 'peer-'))
  try {
    writeInputs(folder)
    const requests = rateRps * seconds
    const plan: PeerPlan = { url: server.url, folder, rateRps, requests, inputTokens: INPUT_TOKENS, tokens: TOKENS }
    const env = {
      ...process.env,
      VLLM_NO_USAGE_STATS: '1',
      DO_NOT_TRACK: '1',
    }
    await promisify(execFile)(program, peer.arguments(plan), { env, timeout: TIMEOUT_MS, maxBuffer: 1 << 28 })
    const reported = peer.read(folder)
    const matched = pairs(reported, (await server.log()).requests)
    const received = matched.map(([, { receivedUs }]) => receivedUs)
    const sentRps = ((matched.length - 1) * 1e6) / (Math.max(...received) - Math.min(...received))
    const ttft = matched.map(([mine, truth]) => Math.abs(mine.ttftMs - (truth.firstUs - truth.receivedUs) / 1000))
    const e2e = matched.map(([mine, truth]) => Math.abs(mine.e2eMs - (truth.lastUs - truth.receivedUs) / 1000))
    return [peer.name, error(ttft), error(e2e), sentRps.toFixed(0), `${matched.length} of ${requests}`]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function ownRow(name: string, round: PacedRound | undefined): string[] {
  if (!round) return [name, 'no C compiler', '', '', '']
  const show = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`
  const requests = rateRps * seconds
  return [name, show(round.ttftErrorMs), show(round.e2eErrorMs), round.sentRps.toFixed(0), `${requests} of ${requests}`]
}

const [own] = await measurePaced({ ratesRps: [rateRps], seconds, rounds: 1 })
const rows = [ownRow('minimal client in C', own?.floor[0]), ownRow('this client', own?.ours[0])]
for (const peer of PEERS) {
  const program = programOf(peer)
  if (program === null) {
    progress(`${peer.name}: no ${peer.program} in --path or PATH, skipped`)
    continue
  }
  progress(`${peer.name}: ${program}`)
  try {
    rows.push(await peerRow(peer, program))
  } catch (failure) {
    const { message, stderr = '', stdout = '' } = failure as Error & { stderr?: string; stdout?: string }
    progress([message, stdout, stderr].map((said) => said.slice(-2000)).join('\n'))
    rows.push([peer.name, 'failed', '', '', ''])
  }
}
const header = [
  'client',
  'TTFT error p50 / p99, ms',
  'E2E error p50 / p99, ms',
  `sent of ${rateRps}/s`,
  'requests compared',
]
process.stdout.write(`${markdownTable([header, ...rows])}\n`)
