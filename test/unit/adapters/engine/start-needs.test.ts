import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Docker } from '../../../../src/adapters/engine/docker-program.ts'
import { startNeeds } from '../../../../src/adapters/engine/start-needs.ts'
import type { Manifest } from '../../../../src/core/manifest/schema.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'needs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const asked: string[][] = []
const docker = (isUp: boolean): Docker => ({
  async call(args) {
    asked.push([...args])
    return { ok: isUp, stdout: '29.1\u001b[31m', stderr: 'Cannot connect' }
  },
  follow() {
    throw new Error('nothing is followed')
  },
})

async function needs(deploy: object, { ports = [1], isUp = true }: { ports?: number[]; isUp?: boolean } = {}) {
  const manifest = { engine: { deploy } } as unknown as Manifest
  const list = startNeeds({ manifest, ports, docker: docker(isUp), path: `:${folder}` })
  const signal = new AbortController().signal
  return Object.fromEntries(await Promise.all(list.map(async (need) => [need.probe, await need.look(signal)] as const)))
}

describe('the needs of a deployment', () => {
  it('by docker are daemon, image and weights; nothing is pulled', async () => {
    const image = `acme/engine@sha256:${'a'.repeat(64)}`
    mkdirSync(join(folder, 'empty'))
    const up = await needs({ kind: 'docker', image, weights: folder })
    expect(up).toMatchObject({
      docker: { pass: expect.stringMatching(/^Docker 29\.1/) },
      image: { pass: `${image} is here` },
    })
    expect(JSON.stringify(up)).not.toContain('\\u001b')
    expect(up['weights']).toMatchObject({ pass: expect.stringContaining('is there') })
    const down = await needs({ kind: 'docker', image, weights: join(folder, 'empty') }, { isUp: false })
    expect(down).toMatchObject({ docker: { fail: 'Cannot connect' }, image: { unknown: expect.any(String) } })
    expect(down['weights']).toMatchObject({ fail: expect.stringContaining('is empty') })
    expect(await needs({ kind: 'docker', image, weights: join(folder, 'none') })).toMatchObject({
      weights: { fail: expect.stringContaining('ENOENT') },
    })
    expect(asked.flat().filter((word) => /pull|run|create/.test(word))).toEqual([])
  })

  it('by process are its program and its ports', async () => {
    writeFileSync(join(folder, 'serve-it'), '#!/bin/sh\n', { mode: 0o755 })
    const named = (program: string) => needs({ kind: 'process', argv: [program] })
    expect(await named('serve-it')).toMatchObject({ program: { pass: join(folder, 'serve-it') } })
    expect(await named('{node}')).toMatchObject({ program: { pass: 'our own Node' } })
    expect(await named('no-such-\u001bthing')).toMatchObject({
      program: { fail: expect.not.stringContaining('\u001b') },
    })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const taken = await needs({ kind: 'process', argv: ['x'] }, { ports: [port] })
    await new Promise((resolve) => server.close(resolve))
    expect(taken['ports']).toMatchObject({ fail: expect.stringContaining(`port ${port} is taken`) })
    const free = await needs({ kind: 'process', argv: ['x'] }, { ports: [port] })
    expect(free['ports']).toEqual({ pass: `port ${port} is free` })
  })

  it('are none of servers that are up', async () => {
    expect(await needs({ kind: 'endpoint', urls: [] })).toEqual({})
  })
})
