import { openYaml } from '../core/manifest/yaml-door.ts'
import type { ManifestPlaces } from '../core/report/annotations.ts'

/** What a verdict's annotations need of the manifest in the repository. */
export interface ManifestLines {
  places: ManifestPlaces
  /** The workload's classes, in the file's order. */
  classes: string[]
}

/** Where the parts of a manifest's text stand; of a text that cannot be read, nowhere. Never throws. */
export function manifestLines(file: string, text: string): ManifestLines {
  const { source } = openYaml(text)
  if (source === null) return { places: () => null, classes: [] }
  const { workload } = source.value as { workload?: unknown }
  const classes = (Array.isArray(workload) ? workload : []).map((item: unknown) => {
    const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : ''
    return typeof name === 'string' ? name : ''
  })
  return { places: (path) => ({ file, ...source.place([...path], 'key') }), classes }
}
