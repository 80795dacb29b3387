const SHORTEST_SECRET = 4
const MASK = '***'

export interface SecretMask {
  /** The text without any secret in it. */
  mask(text: string): string
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
  return {
    mask: (text) => parts.reduce((masked, secret) => masked.replaceAll(secret, MASK), text),
    longest: parts[0]?.length ?? 0,
  }
}

/** A secret that is no text has no encoded form. */
function encoded(secret: string): string {
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret
}
