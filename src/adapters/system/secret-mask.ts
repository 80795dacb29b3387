const SHORTEST_SECRET = 4
const MASK = '***'
/** Fewer characters of a secret's beginning, at the end of a text that was cut, are taken for chance. */
const SHORTEST_PIECE = 8

export interface SecretMask {
  /** The text without any secret in it. */
  mask(text: string): string
  /** The same of a text that was cut: what it ends with may be a secret's beginning. */
  maskCut(text: string): string
  /** Characters of the longest secret; 0 where there is none. */
  longest: number
}

/**
 * Masks the longest secret first, so that one that holds another goes whole; each line of a secret of several is one too, and so is the
 * secret as a line of JSON or an address would show it.
 */
export function secretMask(secrets: readonly string[]): SecretMask {
  const parts = secrets
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/)])
    .map((secret) => secret.trim())
    .flatMap((secret) => [...new Set([secret, JSON.stringify(secret).slice(1, -1), encoded(secret)])])
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length)
  const mask = (text: string): string => parts.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
  return {
    mask,
    maskCut: (text) => parts.reduce(withoutPiece, mask(text)),
    longest: parts[0]?.length ?? 0,
  }
}

function withoutPiece(text: string, secret: string): string {
  for (let length = Math.min(secret.length, text.length); length >= SHORTEST_PIECE; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + MASK
  }
  return text
}

/** A secret that is no text has no encoded form. */
function encoded(secret: string): string {
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret
}
