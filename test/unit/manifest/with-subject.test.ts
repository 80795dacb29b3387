import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { identify } from '../../../src/core/manifest/identity.ts'
import { readManifest } from '../../../src/core/manifest/read.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { withSubject } from '../../../src/core/manifest/with-subject.ts'

const PACKS = new URL('../../../fixtures/packs/', import.meta.url)

const deployable = readdirSync(PACKS).flatMap((pack): [string, Manifest][] => {
  const text = readFileSync(new URL(`${pack}/workload-manifest.yaml`, PACKS), 'utf8')
  const { manifest } = readManifest(text, { level: 'deployable' })
  return manifest === null ? [] : [[pack, manifest]]
})

function manifestOf(pack: string): Manifest {
  const found = deployable.find(([name]) => name === pack)
  if (!found) throw new Error(`${pack} is not deployable`)
  return found[1]
}

describe('a manifest with another subject', () => {
  test.each(deployable)('%s is itself again with its own', (_pack, manifest) => {
    expect(withSubject(manifest, identify(manifest).subject.value)).toEqual({ findings: expect.anything(), manifest })
  })

  test('has nothing left of the subject that it had', () => {
    const manifest = manifestOf('embedded')
    const { deploy } = manifest.engine
    if (deploy?.kind !== 'process') throw new Error('the embedded engine is a process')
    const changed: Manifest = {
      ...manifest,
      engine: {
        ...manifest.engine,
        version: '9.9',
        deploy: { ...deploy, argv: ['{node}', 'x.js'], env: { ADDED: '1' } },
      },
    }
    const again = withSubject(changed, identify(manifest).subject.value)
    expect(again.manifest).toEqual(manifest)
    // What is no subject stays the manifest's own.
    const slower = { ...manifest, client: { ...manifest.client, request_schedule_seed: 7 } }
    expect(withSubject(slower, identify(manifest).subject.value).manifest?.client.request_schedule_seed).toBe(7)
  })

  test.each<[string, Record<string, unknown>]>([
    ['an image where a process is deployed', { deploy: { image: `x@sha256:${'0'.repeat(64)}`, args: [] } }],
    ['a field that is none', { surprise: 1 }],
    ['a field of the experiment', { prefix_cache: 'sometimes' }],
    ['a secret in plain text', { deploy: { argv: ['{node}'], env: { HF_TOKEN: 'hf_abcdefghijklmnopqrstuvwxyz' } } }],
  ])('is refused with %s', (_what, engine) => {
    const manifest = manifestOf('embedded')
    const subject = { engine: { name: manifest.engine.name, version: manifest.engine.version, ...engine } }
    const { manifest: read, findings } = withSubject(manifest, JSON.parse(JSON.stringify(subject)))
    expect(read).toBeNull()
    expect(findings.some(({ severity }) => severity === 'error')).toBe(true)
  })
})
