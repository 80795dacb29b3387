import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEffects } from '../../../src/entry/compose.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { smallExample } from '../../virtual/virtual-manifest.ts'
import { scratch } from './cli-in-process.ts'

const screen = { isTerminal: false, hasColor: false, columns: () => 80, write() {} }
const around = { env: {}, cwd: scratch(), screen }
const deployed = (first_port: number): Manifest =>
  smallExample({ engine: { deploy: { kind: 'process', argv: ['engine'], first_port } } })
const compose = (manifest: Manifest, packFolder: string, endpoints?: string[]) =>
  composeEffects(around, {
    packFolder,
    manifest,
    manifestPath: 'workload-manifest.yaml',
    ...(endpoints ? { endpoints } : {}),
  })

describe('two runs on one machine', () => {
  it('cannot have a port in common: the second is told the first one’s process, and makes no pack', async () => {
    const port = await freePorts(3)
    const first = await compose(deployed(port), join(scratch(), 'pack'))
    const refused = join(scratch(), 'pack')
    for (const firstPort of [port, port + 1]) {
      const second = compose(deployed(firstPort), refused)
      await expect(second).rejects.toMatchObject({ code: 'locked', exitCode: 1 })
      await expect(compose(deployed(firstPort), refused)).rejects.toThrow(
        new RegExp(`process ${process.pid} .*holds port ${Math.max(firstPort, port)} of this machine`),
      )
    }
    expect(existsSync(refused)).toBe(false)
    await first[Symbol.asyncDispose]()
    await using _ = await compose(deployed(port + 1), refused)
  })

  it('go on side by side on other ports, and a replay locks nothing', async () => {
    const port = await freePorts(4)
    const packs = [1, 2, 3].map(() => join(scratch(), 'pack'))
    const [first = '', second = '', third = ''] = packs
    await using _first = await compose(deployed(port), first)
    await using _second = await compose(deployed(port + 2), second)
    await using _replay = await compose(deployed(port), third, [`http://127.0.0.1:${port}`])
    expect(packs.map((pack) => existsSync(pack))).toEqual([true, true, true])
  })

  it('cannot measure one endpoint at once', async () => {
    const urls = [`http://127.0.0.1:${await freePorts(1)}`]
    const manifest = smallExample({ engine: { deploy: { kind: 'endpoint', urls } } })
    await using _ = await compose(manifest, join(scratch(), 'pack'))
    await expect(compose(manifest, join(scratch(), 'pack'))).rejects.toThrow(`holds the endpoint ${urls[0]}`)
  })
})
