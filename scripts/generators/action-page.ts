// docs/reference/action.md: what action.yml declares, and what the job's token must be allowed, of the one table of GitHub's calls.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from 'markdown-table'
import { parse } from 'yaml'
import { CALLS } from '../../src/adapters/github/calls-table.ts'
import type { GeneratedFile } from '../generate.ts'
import { cell, codeCell } from '../reference/markdown-cells.ts'

interface ActionFile {
  inputs: Record<string, { description: string; default?: string }>
  outputs: Record<string, { description: string }>
  runs: { using: string }
}

const root = join(import.meta.dirname, '../..')

const INTRO = `# The action

<!-- Generated from action.yml and src/adapters/github/calls-table.ts by \`npm run generate\`. -->

[Workflows](../workflows.md) has an example for each way of using it. Its step ends with the [exit codes](exit-codes.md) of the command line.
`

const PERMISSIONS = `## Permissions

Give the job no more than it uses: \`pull-requests: write\` where it comments (reading is in it), and of the rest what its inputs ask for. Where one
is missing, the log and the summary name it, and the verdict stands. \`contents: read\` is for the checkout. A job's own token ends after 24 hours
at most: let a run that is longer set \`comment: never\`, and a job after it publish the pack with \`command: comment\`.
`

const PULL_REQUEST = `## Which pull request

That of the event. For \`push\`, \`workflow_dispatch\`, \`workflow_run\` and \`merge_group\` it is found from the commit, or from the merge queue's branch. For
\`schedule\` and \`release\` there is none: everything is in the job's summary then. On an Enterprise Server \`GITHUB_API_URL\` is used;
\`HTTPS_PROXY\`, \`HTTP_PROXY\` and \`NO_PROXY\` are honoured.
`

export async function generate(): Promise<GeneratedFile> {
  const { inputs, outputs, runs }: ActionFile = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const inputRows = Object.entries(inputs).map(([name, input]) => [
    codeCell(name),
    input.default ? codeCell(input.default) : '',
    cell(input.description),
  ])
  const outputRows = Object.entries(outputs).map(([name, output]) => [codeCell(name), cell(output.description)])
  const parts = [
    INTRO,
    `It runs on the runner's own \`${runs.using}\`; nothing is installed.`,
    `## Inputs\n\n${markdownTable([['input', 'default', 'what it is'], ...inputRows])}`,
    `## Outputs\n\n${markdownTable([['output', 'what it is'], ...outputRows])}`,
    `${PERMISSIONS}\n${permissionsTable()}`,
    PULL_REQUEST,
  ]
  return { path: 'docs/reference/action.md', text: parts.join('\n\n') }
}

function permissionsTable(): string {
  const calls = Object.values(CALLS)
  const permissions = [...new Set(calls.map(({ permission }) => permission))]
  const rows = permissions.map((permission) => {
    const own = calls.filter((call) => call.permission === permission)
    const purposes = own.map(({ purpose }) => purpose).join('; ')
    return [
      permission === null ? 'any token' : codeCell(permission),
      purposes,
      own.map(({ route }) => codeCell(route)).join('<br>'),
    ]
  })
  return markdownTable([['permission', 'to', 'by'], ...rows])
}
