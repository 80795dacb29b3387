import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setAsideEarlierPack } from '../../../../src/adapters/system/earlier-pack.ts'

describe('setting a pack aside', () => {
  it('is refused for a folder that holds the current one, reached by a link too', async () => {
    const packLike = mkdtempSync(join(tmpdir(), 'aside-'))
    writeFileSync(join(packLike, 'run.json'), '{}')
    const link = join(mkdtempSync(join(tmpdir(), 'aside-')), 'pack')
    symlinkSync(packLike, link)
    const before = process.cwd()
    try {
      process.chdir(packLike)
      await expect(setAsideEarlierPack('.')).rejects.toMatchObject({ code: 'pack_in_use', exitCode: 64 })
      await expect(setAsideEarlierPack(packLike)).rejects.toMatchObject({ code: 'pack_in_use' })
      await expect(setAsideEarlierPack(link)).rejects.toMatchObject({ code: 'pack_in_use' })
    } finally {
      process.chdir(before)
    }
    expect(await setAsideEarlierPack(`${packLike}/`)).toBe(`${packLike}.earlier`)
  })
})
