import { extname, join } from 'node:path'

/** The embedded engine's program, which `{fixture_engine}` stands for: of a clone its sources, of what is built the bundle beside this file. */
export const FIXTURE_ENGINE = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../../../fixtures/engine/main.ts' : 'fixture-engine.js',
)
