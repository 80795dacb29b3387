/** Where GitHub looks for it; the first that is there counts. */
export const OWNERS_FILES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const

/** Stands for the owners where nobody was named. */
export const NO_OWNER = '@your-org/capacity-owners'

/**
 * The lines by which a change of what is measured, or of what may be accepted, needs a review of its owners. CODEOWNERS itself is among
 * them, or a pull request could change it first.
 */
export function ownerLines(manifestPath: string, ownersFile: string, owner: string): string[] {
  const patterns = [
    `/${manifestPath}`,
    '/.capacity-gate/',
    '/.github/',
    ...(ownersFile.startsWith('.github/') ? [] : [`/${ownersFile}`]),
  ]
  const width = Math.max(...patterns.map((pattern) => pattern.length))
  return patterns.map((pattern) => `${pattern.padEnd(width)} ${owner}`)
}

const HEAD =
  '# Capacity gate: what is measured, and what may be accepted. A later line outranks an earlier one: keep these last.'

/** The file with those of the lines at its end that it has not; null where it has them all. `before`: null where there is no file. */
export function withOwnerLines(before: string | null, lines: readonly string[]): string | null {
  const known = new Set((before ?? '').split(/\r?\n/).map(words))
  const missing = lines.filter((line) => !known.has(words(line)))
  if (missing.length === 0) return null
  const kept = before === null || before === '' ? '' : `${before.replace(/\n*$/, '\n')}\n`
  return `${kept}${[HEAD, ...missing].join('\n')}\n`
}

function words(line: string): string {
  return line.trim().split(/\s+/).join(' ')
}

/** A user, a team or an address, as CODEOWNERS takes them: several with blanks between. */
export function isOwner(text: string): boolean {
  return text.split(' ').every((one) => /^@[\w-]+(?:\/[\w.-]+)?$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(one))
}
