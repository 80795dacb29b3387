import { readFileSync } from 'node:fs'
import type { Finding, Level } from '../../../src/core/manifest/finding.ts'
import { readManifest, type ReadManifest } from '../../../src/core/manifest/read.ts'

const packs = new URL('../../../fixtures/packs/', import.meta.url)

export function packManifest(name: 'worked-example' | 'h100-vllm' | 'embedded' | 'broken-benchmark'): string {
  return readFileSync(new URL(`${name}/workload-manifest.yaml`, packs), 'utf8')
}

/** A pack's text with one passage replaced. Fails where the passage does not stand exactly once. */
export function edited(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`the passage does not stand exactly once: ${from}`)
  return text.replace(from, () => to)
}

/** Where `§` stands in a text, and the text without it. */
export function marked(text: string): { text: string; line: number; column: number } {
  const before = text.split('§', 1)[0] ?? ''
  const lines = before.split('\n')
  return { text: text.replace('§', ''), line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

export function read(text: string | Uint8Array, level: Level = 'valid', subject?: string): ReadManifest {
  return readManifest(text, subject === undefined ? { level } : { level, subject })
}

export function errors(findings: readonly Finding[]): string[] {
  return findings.filter((finding) => finding.severity === 'error').map((finding) => finding.rule)
}
