// The manifest's JSON Schema, for editors: completion and a first check while a manifest is written.
import { generateManifestSchema } from '../../src/core/manifest/generated-pages.ts'
import type { GeneratedFile } from '../generate.ts'

export function generate(): GeneratedFile {
  return { path: 'docs/manifest.schema.json', text: generateManifestSchema() }
}
