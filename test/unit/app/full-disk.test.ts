import { describe, expect, test } from 'vitest'
import { run } from '../../../src/app/run/run.ts'
import type { RunRequest } from '../../../src/app/run/run.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { failureOf } from '../../../src/entry/failure.ts'
import { fakePack } from '../../fakes/pack.ts'
import type { FakePack } from '../../fakes/pack.ts'
import { manifestText, smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const manifest = smallExample({ sweep: { rates_rps: [40], repeats: 1 } })
const init = { manifest, subject: smallSubject(), plan: { bootSeconds: 2 } }
const request: RunRequest = {
  manifest,
  manifestText: manifestText(manifest),
  subjectText: null,
  plan: 'sweep',
  caches: ['cold'],
  resume: false,
  onMissingBaseline: 'record',
  onHostChange: 'remeasure',
  acceptedLosses: null,
  budgetMinutes: null,
  context: { toolVersion: '0.0.0-virtual' },
}

/** A pack whose disk is full from its n-th write on. */
function fullFrom(n: number): { pack: FakePack; writes(): number } {
  const pack = fakePack()
  let count = 0
  const counted = (name: 'write' | 'writeGzip' | 'gzip' | 'appendLines') => {
    const own = pack[name].bind(pack) as (...args: unknown[]) => Promise<unknown>
    const next = (...args: unknown[]) => {
      count += 1
      if (count === n) pack.fill()
      return own(...args)
    }
    Object.assign(pack, { [name]: next })
  }
  for (const name of ['write', 'writeGzip', 'gzip', 'appendLines'] as const) counted(name)
  return { pack, writes: () => count }
}

describe('a disk that is full', () => {
  test(
    'from any write on ends the run and says so, leaves no engine, and loses nothing that was on it',
    { timeout: 240_000 },
    async () => {
      const whole = fullFrom(Infinity)
      await runVirtually({ ...init, pack: whole.pack, request: { caches: ['cold'] } })
      expect(whole.writes()).toBeGreaterThan(15)
      for (let n = 1; n <= whole.writes(); n += 1) {
        const { pack } = fullFrom(n)
        const world = virtualWorld({ subject: smallSubject(), plan: { bootSeconds: 2 }, pack })
        const error = await run(world.effects, request, new AbortController().signal).catch((thrown: unknown) => thrown)
        expect([n, failureOf(error).code, world.deployer.standing]).toEqual([n, 'disk_full', 0])
        const isPartial = pack.files.has('run.json') && !pack.files.has('capacity.json')
        const found = isPartial && n % 3 === 0 ? (await verifyPack(pack)).discrepancies : []
        expect([n, found]).toEqual([n, []])
      }
    },
  )
})
