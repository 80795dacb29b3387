import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

export interface DemoFile {
  /** What it is to be called in a user's folder. */
  name: 'workload-manifest.yaml' | 'candidate.yaml'
  text: string
}

/** Of a clone the demo's own files; of what is built their copies beside this file, made by scripts/build.ts. */
const FILES = {
  'workload-manifest.yaml': ['../../fixtures/packs/demo/workload-manifest.yaml', 'demo.yaml'],
  'candidate.yaml': ['../../fixtures/packs/demo/slower-prefill.yaml', 'demo-candidate.yaml'],
} as const

/** A manifest of the embedded engine whose verdict takes a minute or two, and the subject of a revision that is slower. */
export async function demoFiles(): Promise<DemoFile[]> {
  const isClone = extname(import.meta.filename) === '.ts'
  return Promise.all(
    (['workload-manifest.yaml', 'candidate.yaml'] as const).map(async (name) => {
      const [source, built] = FILES[name]
      return { name, text: await readFile(join(import.meta.dirname, isClone ? source : built), 'utf8') }
    }),
  )
}
