import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClientHost } from '../../../src/adapters/machine/client-host.ts'
import { fakeClientHost } from '../../fakes/client-host.ts'

const temporary: string[] = []
afterEach(() => {
  for (const folder of temporary.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** What Linux shows, as files of our own. */
function shown(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'client-host-'))
  temporary.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

describe.each([
  ['this machine', systemClientHost()],
  ['the fake', fakeClientHost()],
])('%s', (_, host) => {
  it('tells what the client has, within what there is', async () => {
    const facts = await host.look()
    expect(facts.node).toMatch(/^\d+\.\d+\.\d+/)
    expect(facts.cpus).toBeGreaterThanOrEqual(1)
    expect(facts.logicalCpus).toBeGreaterThanOrEqual(facts.cpus)
    const { limit, open } = facts.descriptors ?? { limit: 1, open: 0 }
    expect(limit).toBeGreaterThan(open)
    expect(facts.usualPort.port).toBe(8000)
  })
})

describe('this machine', () => {
  const CLOCK = 'devices/system/clocksource/clocksource0/current_clocksource'

  it('reads what Linux shows', async () => {
    const proc = shown({
      'self/limits':
        'Limit                     Soft Limit           Hard Limit           Units\nMax open files            64                   4096                 files\n',
      'self/fd/0': '',
      'self/fd/1': '',
      'sys/net/ipv4/ip_local_port_range': '32768\t60999\n',
    })
    const facts = await systemClientHost(proc, shown({ [CLOCK]: 'hpet\n' })).look()
    expect(facts).toMatchObject({ descriptors: { limit: 64, open: 2 }, localPorts: 28_232, clockSource: 'hpet' })
  })

  it('takes no limit for one without end', async () => {
    const proc = shown({
      'self/limits': 'Max open files            unlimited            unlimited            files\n',
      'self/fd/0': '',
    })
    expect((await systemClientHost(proc).look()).descriptors?.limit).toBe(Number.POSITIVE_INFINITY)
  })

  it('says nothing of what it is not told, or told in another way', async () => {
    const [proc, sys] = [
      shown({ 'self/limits': 'none', 'sys/net/ipv4/ip_local_port_range': 'x' }),
      shown({ [CLOCK]: '\u001b[31m' }),
    ]
    expect(await systemClientHost(proc, sys).look()).toMatchObject({
      descriptors: null,
      localPorts: null,
      clockSource: null,
    })
    expect(await systemClientHost('/nowhere', '/nowhere').look()).toMatchObject({
      descriptors: null,
      clockSource: null,
    })
  })

  it('says who has the port', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { usualPort } = await systemClientHost('/proc', '/sys', port).look()
    server.close()
    expect(usualPort).toEqual({ port, taken: `by process ${process.pid}` })
  })
})
