// What a release's number says: its notes in the changelog, and which moving names it takes. Pure.

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

type Version = readonly [major: number, minor: number, patch: number]

/** Throws where a text is no X.Y.Z: candidates and builds are not released. */
export function parseVersion(text: string): Version {
  const [, major, minor, patch] = VERSION.exec(text) ?? []
  if (major === undefined) throw new Error(`${text} is no version X.Y.Z`)
  return [Number(major), Number(minor), Number(patch)]
}

function isLater(one: Version, other: Version): boolean {
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && one[at]! > other[at]!
}

/** Which names move to a version, where these tags are already there. A fix of an older line takes none from a newer one. */
export function movedNames(version: string, tags: readonly string[]): { majorTag: boolean; latest: boolean } {
  const own = parseVersion(version)
  const released = tags.flatMap((tag) => (VERSION.test(tag.slice(1)) ? [parseVersion(tag.slice(1))] : []))
  const later = released.filter((other) => isLater(other, own))
  return { majorTag: later.every(([major]) => major !== own[0]), latest: later.length === 0 }
}

/** The text below a version's heading in the changelog. Throws where there is none. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## [${version}]`))
  const notes = section?.slice(section.indexOf('\n') + 1).trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no notes under ## [${version}]`)
  return `${notes}\n`
}
