// docs/reference/manifest.md: every key of the manifest, from the JSON Schema that its zod schema gives.
import { markdownTable } from 'markdown-table'
import { generateManifestSchema } from '../../src/core/manifest/generated-pages.ts'
import type { GeneratedFile } from '../generate.ts'
import { manifestFields } from '../reference/manifest-fields.ts'
import type { JsonSchema, ManifestField } from '../reference/manifest-fields.ts'
import { cell } from '../reference/markdown-cells.ts'

const INTRO = `# The manifest

<!-- Generated from src/core/manifest/schema.ts by \`npm run generate\`. -->

Every key of a workload manifest. A key that is not here is an error. [The JSON Schema](../manifest.schema.json) is for editors,
[the rules](../rules.md) are what \`lint\` asks beyond it.

What a key is of says what a change of it does:

| of         | a change of it                                                                                                   |
| ---------- | ---------------------------------------------------------------------------------------------------------------- |
| experiment | makes another experiment: capacities of both are not compared, and a run against the old baseline is inconclusive |
| subject    | is what an upgrade may change: the run is gated against the baseline                                              |
| operation  | changes how the run is done, not what is compared                                                                 |
| note       | is for people, and for where records are kept                                                                     |

Experiment and subject are hashed apart, defaults filled in. Under *default* stands **required** where a key must be given as soon as its
section is, and – where it may be left out and then is not there.
`

/** Read once more as JSON: what the page tells is what an editor is given. */
export function generate(): GeneratedFile {
  const { properties = {} } = JSON.parse(generateManifestSchema()) as JsonSchema
  const single: ManifestField[] = []
  const sections = Object.entries(properties).flatMap(([name, schema]) => {
    const fields = manifestFields({ properties: { [name]: schema } })
    if (fields.length > 1 || fields[0]?.path !== name) return [`## ${name}\n\n${table(fields)}`]
    single.push(...fields)
    return []
  })
  return { path: 'docs/reference/manifest.md', text: [INTRO, table(single), ...sections].join('\n\n') }
}

function table(fields: readonly ManifestField[]): string {
  const rows = fields.map((field) => [
    `\`${field.path}\``,
    cell(field.type),
    field.unit,
    field.isRequired ? '**required**' : field.default === null ? '–' : `\`${cell(field.default)}\``,
    field.tag,
    cell(field.meaning),
  ])
  return markdownTable([['key', 'type', 'unit', 'default', 'of', 'what it is'], ...rows])
}
