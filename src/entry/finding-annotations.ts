import type { Annotation } from '../app/ports/publisher.ts'
import type { Finding } from '../core/manifest/finding.ts'

/** A manifest's findings on its lines; those of a subject's override, which is in no file, on none. */
export function findingAnnotations({ file, findings }: { file: string; findings: readonly Finding[] }): Annotation[] {
  return findings.map(({ severity, rule, path, message, hint, line, column }) => {
    const isOverride = path.startsWith('subject override')
    const place = isOverride ? {} : { file, line, column }
    return { level: severity, title: rule, message: `${path === '' ? '' : `${path}: `}${message}. ${hint}`, ...place }
  })
}
