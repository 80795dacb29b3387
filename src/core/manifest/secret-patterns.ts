/** Shapes of secrets that are told by their own prefix, whatever the field they stand in. */
const SHAPES: readonly { what: string; pattern: RegExp }[] = [
  { what: 'a Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{20,}/ },
  { what: 'an API key', pattern: /\bsk-[A-Za-z0-9_-]{16,}/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/ },
  { what: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{16,}/ },
  { what: 'an NVIDIA key', pattern: /\bnvapi-[A-Za-z0-9_-]{20,}/ },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a Google key', pattern: /\bAIza[0-9A-Za-z_-]{35}/ },
  { what: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/ },
  { what: 'a JSON web token', pattern: /\beyJ[A-Za-z0-9_-]{10,500}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]+/ },
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  { what: 'a bearer token', pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/i },
  { what: 'a URL with a password', pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,256}:[^\s/@]{1,256}@/i },
]

/** Names whose value is a secret: `HF_TOKEN`, `api_key`, `DB_PASSWORD`; not `MAX_TOKENS` or `KEEP_ALIVE`. */
const SECRET_NAME = /(?:^|[_-])(?:api_?key|apikey|key|token|secret|password|passwd|passphrase|credentials?|pat)$/i

/** A value that stands for a secret without being one: empty, a reference, a placeholder. */
const STAND_IN = /^(?:|\$\{?[A-Za-z_].*|\{\{?.*\}\}?|<.*>|none|null|dummy|empty|true|false|\d{1,4})$/i

/** What a text carries that looks like a secret, or null. */
export function secretIn(text: string): string | null {
  return SHAPES.find((shape) => shape.pattern.test(text))?.what ?? null
}

/** Whether a field of this name with this value is a secret in plain text. */
export function isNamedSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) && !STAND_IN.test(value.trim())
}

/** The text with everything that looks like a secret blotted out. */
export function redacted(text: string): string {
  return SHAPES.reduce(
    (safe, shape) => safe.replace(new RegExp(shape.pattern, `g${shape.pattern.flags}`), '[hidden]'),
    text,
  )
}
