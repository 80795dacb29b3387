// What `lint` can say: a page with every rule, why it is asked, and the mend.
import { generateRulesPage } from '../../src/core/manifest/generated-pages.ts'
import type { GeneratedFile } from '../generate.ts'

export function generate(): GeneratedFile {
  return { path: 'docs/rules.md', text: generateRulesPage() }
}
