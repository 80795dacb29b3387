import { sha256Hex } from '../kernel/hash.ts'

const PART_MAX = 80

/**
 * The hidden first line by which a later run finds its own comment again. Whoever updates a comment also checks its author: anyone
 * may write this line. Different ids and keys give different markers.
 */
export function commentMarker(gateId: string, commentKey = ''): string {
  return `<!-- capacity-gate:${markerPart(gateId)}:${markerPart(commentKey)} -->`
}

/** The same for the comment that says, before anything is measured, what a manifest would take. No gate's marker is equal to it. */
export function estimateMarker(manifestPath: string, commentKey = ''): string {
  return `<!-- capacity-gate-estimate:${markerPart(manifestPath)}:${markerPart(commentKey)} -->`
}

/** Whether a comment's body starts with the marker; a marker further down is somebody's quotation. */
export function isMarked(body: string, marker: string): boolean {
  return body.split(/\r?\n/, 1)[0] === marker
}

/** Letters, digits, `.`, `_` and single hyphens stay; all else is its code points in hex, so that no comment can be closed early. */
function markerPart(value: string): string {
  const text = value
    .toWellFormed()
    .replaceAll(/[^A-Za-z0-9._-]|-(?=-|$)/gu, (char) => `%${(char.codePointAt(0) ?? 0).toString(16)}.`)
  return text.length <= PART_MAX
    ? text
    : `${text.slice(0, PART_MAX - 17)}%${sha256Hex(value.toWellFormed()).slice(0, 16)}`
}
