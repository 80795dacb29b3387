// The manifest's JSON Schema, for editors: completion and a first check while a manifest is written.
import { z } from 'zod'
import { manifestSchema } from '../../src/core/manifest/schema.ts'
import type { GeneratedFile } from '../generate.ts'

export function generate(): GeneratedFile {
  const schema = z.toJSONSchema(manifestSchema, { io: 'input', unrepresentable: 'any' })
  const titled = { $schema: schema.$schema, title: 'Capacity Gate workload manifest', ...schema }
  return { path: 'docs/workload-manifest.schema.json', text: JSON.stringify(titled, undefined, 2) }
}
