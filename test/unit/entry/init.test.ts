import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { lint } from '../../../src/app/lint.ts'
import { deployAnswer } from '../../../src/entry/init-questions.ts'
import { runCli } from '../../../src/entry/program.ts'
import type { FakeQuestions } from '../../fakes/questions.ts'
import { fakeQuestions } from '../../fakes/questions.ts'
import { COMMIT, DIGEST } from '../init/given-answers.ts'
import { root } from './cli-in-process.ts'

const IMAGE = `vllm/vllm-openai@sha256:${DIGEST}`
const FEWEST = [
  '--engine',
  'vllm',
  '--engine-version',
  '0.32.0',
  '--model',
  'acme/dense-8b',
  '--model-revision',
  COMMIT,
]
const STARTED = [...FEWEST, '--image', IMAGE]
const MANIFEST = 'workload-manifest.yaml'
const WORKFLOW = '.github/workflows/capacity-gate.yml'

const temporary: string[] = []
afterEach(() => {
  for (const folder of temporary.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function project(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'init-'))
  temporary.push(folder)
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}

async function initIn(cwd: string, argv: readonly string[], questions?: FakeQuestions) {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const write = (text: string) => void stderr.push(text)
  const screen = { isTerminal: questions !== undefined, hasColor: false, columns: () => 100, write }
  const inputs = { argv: ['init', ...argv], env: {}, cwd, screen, ...(questions ? { questions: () => questions } : {}) }
  const code = await runCli(inputs, async (text) => void stdout.push(text))
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
const textOf = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
const findingsOf = (text: string) => lint(MANIFEST, text, 'deployable').findings

/** The file's text, to be equal byte for byte; `UPDATE_GOLDEN=1` first writes it anew, for a reviewer to read. */
function golden(name: string, text: string): string {
  const path = join(root, 'test/golden/init', name)
  if (env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  return readFileSync(path, 'utf8')
}

const trace = readFileSync(join(root, 'fixtures/traces/mooncake.jsonl'), 'utf8')

describe('init by flags', () => {
  it.each<[string, string[]]>([
    ['vllm-container', [...STARTED, '--tp', '2', '--replicas', '4', '--', '--max-num-seqs', '256']],
    ['sglang-process', [...STARTED.slice(0, -2), '--engine', 'sglang', '--', 'python', '-m', 'sglang.launch_server']],
    ['dynamo-endpoint', [...FEWEST, '--engine', 'dynamo', '--endpoint', 'http://127.0.0.1:8000']],
    ['from-trace', [...STARTED, '--from-trace', join(root, 'fixtures/traces/mooncake.jsonl')]],
  ])('writes the manifest %s', async (name, argv) => {
    const folder = project()
    const { code } = await initIn(folder, argv)
    expect(code).toBe(0)
    // Where a trace lies is another place on each machine.
    const text = textOf(folder, MANIFEST).replaceAll(`${root}/`, '')
    expect(text).toBe(golden(`${name}.yaml`, text))
    expect(findingsOf(text)).toEqual([])
  })

  it('says what was written, what is left to edit, and what to type next', async () => {
    const folder = project()
    const { code, stdout, stderr } = await initIn(folder, STARTED)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(golden('said.txt', stdout))
    expect(filesIn(folder)).toEqual([WORKFLOW, MANIFEST])
    const again = await initIn(folder, STARTED)
    expect(again.stdout.split('\n').slice(0, 2)).toEqual([`unchanged: ${MANIFEST}`, `unchanged: ${WORKFLOW}`])
  })

  it('writes no workflow and no CODEOWNERS below the root of a repository, where GitHub reads none', async () => {
    const top = project()
    const below = join(top, 'services', 'chat')
    for (const folder of [join(top, '.git'), below]) mkdirSync(folder, { recursive: true })
    for (const flags of [[], ['--no-workflow', '--owner', '@acme/inference']]) {
      const ended = await initIn(below, [...STARTED, ...flags])
      expect([ended.code, filesIn(top)]).toEqual([64, []])
      expect(ended.stderr).toContain(`run it there with --out services/chat/${MANIFEST}, or here with --no-workflow`)
    }
    expect((await initIn(below, [...STARTED, '--no-workflow'])).code).toBe(0)
    expect((await initIn(top, [...STARTED, '--out', 'services/chat/other.yaml'])).code).toBe(0)
    expect(textOf(top, WORKFLOW)).toContain('manifest: services/chat/other.yaml')
  })

  it('prints the same as one JSON value', async () => {
    const folder = project()
    const { stdout } = await initIn(folder, [
      ...STARTED,
      '--json',
      '--owner',
      '@acme/inference',
      '--action',
      `acme/gate@${COMMIT}`,
    ])
    expect(JSON.parse(stdout)).toEqual({
      files: [MANIFEST, WORKFLOW, '.github/CODEOWNERS'].map((path) => ({ path, done: 'written' })),
      ownerLines: expect.arrayContaining(['/.github/               @acme/inference']),
      ownersWritten: true,
      notes: [],
      next: [
        `capacity-gate lint ${MANIFEST} --deployable`,
        `capacity-gate estimate ${MANIFEST}`,
        `capacity-gate doctor ${MANIFEST}`,
      ],
    })
    expect(textOf(folder, WORKFLOW)).toContain(`uses: acme/gate@${COMMIT}`)
  })

  it('names all that is missing, and the flag of what is wrong, and writes nothing', async () => {
    const folder = project()
    const missing = await initIn(folder, ['--engine', 'vllm'])
    expect([missing.code, missing.stdout]).toEqual([64, ''])
    expect(missing.stderr).toMatch(/^error: not answered: --engine-version, --model, --model-revision, how the engine/)
    for (const [flags, says] of [
      [['--image', 'vllm/vllm-openai:v1'], /--image: .*without a digest/],
      [['--out', '../x.yaml'], /--out: .* is no path in this folder/],
      [['--workflow', '/tmp/x.yml'], /--workflow: /],
      [['--owner', 'nobody'], /--owner: /],
      [['--action', 'acme/gate@v1'], /--action: /],
      [['--replay-trace'], /about a trace, and none is given/],
      [['--from-trace', '../t.jsonl', '--replay-trace'], /lies outside of this folder/],
    ] as const) {
      const ended = await initIn(folder, [...STARTED, ...flags])
      expect([flags, ended.code, ended.stdout]).toEqual([flags, 64, ''])
      expect(ended.stderr).toMatch(says)
    }
    expect(filesIn(folder)).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    ['no trace', 'a,b\n1,2\n', /neither JSON nor a header/],
    ['empty', '', /is empty/],
    ['binary', '\0\u0001\0', /neither JSON|no text|not UTF-8|zero/i],
    ['of one request', '{"timestampUs":0,"inputTokens":1,"outputTokens":1}\n', /prompts of 1 tokens/],
    ['hostile', `{"timestampUs":0,"inputTokens":9,"outputTokens":1,"class":"x\\ny: z"}\n`, /class/],
  ])('refuses a trace that is %s, and writes nothing', async (_, text, says) => {
    const folder = project({ 'trace.jsonl': text })
    const { code, stdout, stderr } = await initIn(folder, [...STARTED, '--from-trace', join(folder, 'trace.jsonl')])
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(says)
    expect(filesIn(folder)).toEqual(['trace.jsonl'])
  })

  it('keeps what is there, unless it is told to replace it', async () => {
    const folder = project({ [MANIFEST]: 'mine: true\n' })
    const refused = await initIn(folder, STARTED)
    expect([refused.code, refused.stdout]).toEqual([4, ''])
    expect(refused.stderr).toMatch(/nothing was written: there already is workload-manifest\.yaml\nhint: .*--force/)
    expect(filesIn(folder)).toEqual([MANIFEST])
    expect((await initIn(folder, [...STARTED, '--force'])).stdout).toContain(`replaced: ${MANIFEST}`)
  })

  it('follows no link out of the folder', async () => {
    const [folder, away] = [project(), project()]
    symlinkSync(away, join(folder, '.github'))
    const { code, stderr } = await initIn(folder, [...STARTED, '--force'])
    expect(code).toBe(4)
    expect(stderr).toMatch(/\.github\/workflows\/capacity-gate\.yml leads out of this folder/)
    expect([filesIn(away), filesIn(folder)]).toEqual([[], ['.github']])
  })

  it('writes no workflow where none is wanted', async () => {
    const folder = project()
    await initIn(folder, [...STARTED, '--no-workflow', '--out', 'gates/dense.yaml'])
    expect(filesIn(folder)).toEqual(['gates/dense.yaml'])
  })

  it('writes the embedded engine’s two files, and nothing else', async () => {
    const folder = project()
    const { code, stdout } = await initIn(folder, ['--engine', 'fixture'])
    expect([code, filesIn(folder)]).toEqual([0, ['candidate.yaml', MANIFEST]])
    expect(findingsOf(textOf(folder, MANIFEST))).toEqual([])
    expect(stdout).toMatch(/next:\n {2}capacity-gate run workload-manifest\.yaml --plan sweep --pack accepted/)
  })
})

describe('init at a terminal', () => {
  const lines = [
    'vlm',
    'vllm',
    'vllm/vllm-openai:latest',
    `${IMAGE} --max-num-seqs 256`,
    '0.32.0',
    'acme/dense-8b',
    'main',
    COMMIT,
  ]
  const rest = ['', '2', '', 'none', '', '@acme/inference']

  it('asks for all that no flag says, again where an answer will not do, and shows the same as flags', async () => {
    const folder = project()
    const questions = fakeQuestions([...lines, ...rest])
    const { code, stderr } = await initIn(folder, [], questions)
    expect([code, questions.isClosed]).toEqual([0, true])
    expect(questions.refused).toEqual([
      expect.stringMatching(/"vlm" is none of/),
      expect.stringMatching(/--image: .*latest/),
      expect.stringMatching(/--model-revision: .*moves/),
    ])
    expect(questions.asked.map(({ text, usual }) => `${text} [${usual}]`).join('\n')).toBe(
      golden('questions.txt', questions.asked.map(({ text, usual }) => `${text} [${usual}]`).join('\n')),
    )
    const manifest = parse(textOf(folder, MANIFEST))
    expect(manifest.engine.deploy).toMatchObject({ image: IMAGE, args: ['--max-num-seqs', '256'] })
    expect(manifest.engine.placement.tp).toBe(2)
    const command = /^the same without questions:\n {2}capacity-gate init (.*)$/m.exec(stderr)?.[1] ?? ''
    const repeated = await initIn(folder, command.split(' '))
    expect(repeated.stdout.match(/^unchanged: /gm)).toHaveLength(3)
  })

  it('asks nothing that was said, and nothing at all with --yes', async () => {
    const [folder, questions] = [project(), fakeQuestions(['', '', 'none', '', 'none'])]
    const flags = [...STARTED, '--gpu', 'h200']
    await initIn(folder, [...flags, '--yes'], fakeQuestions([]))
    expect(filesIn(folder)).toEqual([WORKFLOW, MANIFEST])
    await initIn(folder, flags, questions)
    expect(questions.asked.map(({ text }) => text.split(' ')[0])).toEqual(['GPUs', 'Replicas', 'A', 'Longest', 'Who'])
  })

  it('refuses a trace that cannot be opened while it can still be named anew', async () => {
    const folder = project({ 'trace.jsonl': trace })
    const questions = fakeQuestions(['', '', join(folder, 'nowhere'), folder, join(folder, 'trace.jsonl'), '', 'none'])
    const { code } = await initIn(folder, [...STARTED, '--gpu', 'h100'], questions)
    expect(code).toBe(0)
    expect(questions.refused).toEqual([expect.stringMatching(/no such file/), expect.stringMatching(/it is a folder/)])
    expect(textOf(folder, MANIFEST)).toMatch(/# From .*trace\.jsonl: 200 requests/)
  })

  it('writes nothing where the person leaves', async () => {
    const folder = project()
    const { code, stdout, stderr } = await initIn(folder, [], fakeQuestions(['vllm']))
    expect([code, stdout, filesIn(folder)]).toEqual([130, '', []])
    expect(stderr).toMatch(/^error: the questions were left/)
  })

  it.each<[string, object]>([
    [IMAGE, { image: IMAGE, words: [] }],
    ['vllm/vllm-openai:v1', { image: 'vllm/vllm-openai:v1', words: [] }],
    ['http://a:1 https://b', { endpoint: ['http://a:1', 'https://b'] }],
    ['/opt/vllm/bin/python -m  vllm', { words: ['/opt/vllm/bin/python', '-m', 'vllm'] }],
    ['./serve --port {port}', { words: ['./serve', '--port', '{port}'] }],
  ])('takes %j for what it is', (text, meant) => {
    expect(deployAnswer(text)).toEqual(meant)
  })
})
