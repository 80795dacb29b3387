// What the job's token must be allowed, as the README's table: of the one table that the code calls GitHub by.
import { markdownTable } from 'markdown-table'
import { CALLS } from '../../src/adapters/github/calls-table.ts'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

export async function generate(): Promise<GeneratedFile> {
  const calls = Object.values(CALLS)
  const permissions = [...new Set(calls.map(({ permission }) => permission))]
  const rows = permissions.map((permission) => {
    const own = calls.filter((call) => call.permission === permission)
    const purposes = own.map(({ purpose }) => purpose).join('; ')
    return [
      permission === null ? 'any token' : `\`${permission}\``,
      purposes,
      own.map(({ route }) => `\`${route}\``).join('<br>'),
    ]
  })
  return replacePart('README.md', 'permissions-table', markdownTable([['permission', 'to', 'by'], ...rows]))
}
