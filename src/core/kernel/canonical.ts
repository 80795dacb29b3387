import canonicalize from 'canonicalize'
import { sha256Hex } from './hash.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** RFC 8785 canonical JSON text of a plain value. */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('value has no canonical JSON form')
  return text
}

/** SHA-256 (hex) of the RFC 8785 form: equal for equal values, whatever their key order. */
export function canonicalSha256(value: JsonValue): string {
  return sha256Hex(canonicalJson(value))
}
