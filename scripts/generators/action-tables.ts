// The inputs and outputs of action.yml as the README's tables.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from 'markdown-table'
import { parse } from 'yaml'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

interface ActionFile {
  inputs: Record<string, { description: string; default?: string }>
  outputs: Record<string, { description: string }>
}

const root = join(import.meta.dirname, '../..')

export async function generate(): Promise<GeneratedFile> {
  const { inputs, outputs }: ActionFile = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const inputRows = Object.entries(inputs).map(([name, input]) => [
    code(name),
    input.default ? code(input.default) : '',
    cell(input.description),
  ])
  const outputRows = Object.entries(outputs).map(([name, output]) => [code(name), cell(output.description)])
  const body = [
    markdownTable([['input', 'default', 'what it is'], ...inputRows]),
    markdownTable([['output', 'what it is'], ...outputRows]),
  ]
  return replacePart('README.md', 'action-tables', body.join('\n\n'))
}

function code(text: string): string {
  return `\`${text}\``
}

function cell(text: string): string {
  return text.trim().replaceAll('\n', ' ').replaceAll('|', '\\|')
}
