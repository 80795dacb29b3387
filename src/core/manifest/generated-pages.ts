import { z } from 'zod'
import { RULE_THEMES } from './rules/all-rules-table.ts'
import { manifestSchema } from './schema.ts'

/** docs/manifest.schema.json: the manifest's JSON Schema (2020-12), with each field's meaning and tag (`x-tag`). */
export function generateManifestSchema(): string {
  const schema = z.toJSONSchema(manifestSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const { tag } = jsonSchema
      if (tag === undefined) return
      delete jsonSchema['tag']
      jsonSchema['x-tag'] = tag
    },
  })
  const { $schema, ...rest } = schema
  const page = { $schema, title: 'Capacity Gate manifest', ...rest }
  return `${JSON.stringify(page, null, 2)}\n`
}

/** docs/rules.md: every rule that a finding can name. */
export function generateRulesPage(): string {
  const count = RULE_THEMES.reduce((sum, { rules }) => sum + rules.length, 0)
  const intro = [
    '# Rules of the manifest',
    '',
    '<!-- Generated from src/core/manifest by `npm run generate`. -->',
    '',
    `What \`lint\` can say of a manifest: ${count} rules. Each finding names its rule, the place (line, column, path), what is wrong`,
    'and the mend. A rule of level *valid* is always asked, one of level *deployable* by `lint --deployable` and by `run`. An error refuses',
    'the manifest; a warning does not.',
  ]
  const themes = RULE_THEMES.flatMap(({ theme, rules }) => [
    '',
    `## ${theme}`,
    ...rules.flatMap((rule) => [
      '',
      `### ${rule.id}`,
      '',
      `${rule.title}. *${rule.severity}, ${rule.level}*`,
      '',
      rule.why,
      '',
      `Mend: ${rule.mend}`,
    ]),
  ])
  return `${[...intro, ...themes].join('\n')}\n`
}
