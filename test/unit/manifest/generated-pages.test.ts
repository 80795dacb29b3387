import { describe, expect, it } from 'vitest'
import { generateManifestSchema, generateRulesPage } from '../../../src/core/manifest/generated-pages.ts'
import { RULE_THEMES } from '../../../src/core/manifest/rules/all-rules-table.ts'

describe('the generated pages', () => {
  it('list every rule once', () => {
    const page = generateRulesPage()
    const headings = [...page.matchAll(/^### (.+)$/gm)].map((match) => match[1])
    expect(headings).toEqual(RULE_THEMES.flatMap(({ rules }) => rules.map((rule) => rule.id)))
    expect(page).toContain(`${headings.length} rules`)
  })

  it('describe the manifest as it is written: defaults may be left out, tags are told', () => {
    const schema = JSON.parse(generateManifestSchema())
    expect(schema.required).toEqual(['model', 'engine', 'client', 'workload', 'acceptance'])
    expect(schema.additionalProperties).toBe(false)
    expect(schema.properties.acceptance.properties.capacity_tolerance).toMatchObject({
      default: 0.04,
      'x-tag': 'experiment',
    })
    expect(schema.properties.acceptance.required).not.toContain('capacity_tolerance')
    expect(JSON.stringify(schema)).not.toContain('"tag"')
  })
})
