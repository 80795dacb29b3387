// The example workflow that `init` writes, as a text in the sources: what is built has no examples beside it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratedFile } from '../generate.ts'

const example = '.github/examples/1-upgrade-pull-request.yml'

export async function generate(): Promise<GeneratedFile> {
  const text = await readFile(join(import.meta.dirname, '../..', example), 'utf8')
  const lines = text.split('\n').map((line) => `  ${JSON.stringify(line)},`)
  return {
    path: 'src/core/init/workflow.generated.ts',
    text: [
      `// Generated from ${example} by \`npm run generate\`.`,
      'export const UPGRADE_WORKFLOW = [',
      ...lines,
      "].join('\\n')",
      '',
    ].join('\n'),
  }
}
