/** The oldest that all dependencies run on. */
export const NEEDED = { major: 22, minor: 19 }

/** What to tell a Node that is too old to load the command line, by its version (`20.20.2`); null for one that is new enough. */
export function nodeRefusal(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return null
  return `error: capacity-gate needs Node ${NEEDED.major}.${NEEDED.minor} or newer, and this is Node ${version}\nhint: run it with Node 24\n`
}
