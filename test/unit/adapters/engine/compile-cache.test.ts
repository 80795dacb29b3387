import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openCompileCache } from '../../../../src/adapters/engine/compile-cache.ts'
import { processManifest } from '../../../fakes/manifest.ts'
import type { ManifestChange } from '../../../fakes/manifest.ts'

const root = mkdtempSync(join(tmpdir(), 'compile-'))
afterAll(() => rmSync(root, { recursive: true }))
const h100 = async () => '570.1, NVIDIA H100\n'

async function open(change: ManifestChange, kinds: () => Promise<string | null> = h100, gpus = 1) {
  const manifest = processManifest(change)
  Object.assign(manifest.engine.placement, { gpus })
  return openCompileCache(manifest, root, kinds)
}

describe('a compile cache', () => {
  it('is a miss until an engine that came up has filled it', async () => {
    const first = await open({})
    expect([first.state, existsSync(first.mount.source)]).toEqual(['miss', true])
    expect((await open({})).state).toBe('miss')
    await first.fill()
    const second = await open({})
    expect([second.state, second.mount.source]).toEqual(['hit', first.mount.source])
  })

  it('is not filled by an engine that says so itself, and no pipe that it makes holds the run up', async () => {
    const { mount } = await open({ argv: ['sly'] })
    for (const name of ['FILLED', '.filled']) spawnSync('mkfifo', [join(mount.source, name)])
    const again = await open({ argv: ['sly'] })
    expect(again.state).toBe('miss')
    await again.fill()
    expect((await open({ argv: ['sly'] })).state).toBe('hit')
  })

  it('is another one for another subject, model, driver or GPU; ports and deadlines do not count', async () => {
    const base = (await open({ argv: ['a'] })).mount.source
    const others = await Promise.all([
      open({ argv: ['b'] }),
      open({ argv: ['a'], model: { id: 'other' } }),
      open({ argv: ['a'] }, async () => '580.1, NVIDIA H100\n'),
      open({ argv: ['a'] }, async () => '570.1, NVIDIA H200\n'),
    ])
    expect(new Set([base, ...others.map(({ mount }) => mount.source)]).size).toBe(5)
    expect((await open({ argv: ['a'], firstPort: 9000, deploy: { ready_timeout_seconds: 3 } })).mount.source).toBe(base)
  })
})
