import { describe, expect, it } from 'vitest'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'

const manifest = smallExample({ sweep: { rates_rps: [30], refine_step: 0, repeats: 1 } })
const subject = smallSubject({ jitter: 0.02 })
const cold = { caches: ['cold'] as const }

describe('a cold compile cache', () => {
  it('boots once, is warmed up, thrown away, and booted again: only the second engine is measured', async () => {
    const plan = {
      bootSeconds: 2,
      compileCache: (boot: number) => (boot === 1 ? ('miss' as const) : ('hit' as const)),
      kvTokens: (boot: number) => (boot === 1 ? 1000 : 2000),
    }
    const { record, world } = await runVirtually({ manifest, subject, plan, request: cold })
    expect(record.boots.map(({ deployId, compileCache, kvTokens }) => [deployId, compileCache, kvTokens])).toEqual([
      ['cold-boot-1', 'miss', 1000],
      ['cold-boot-2', 'hit', 2000],
    ])
    expect(new Set(record.capacity[0]?.points.map(({ deployId }) => deployId))).toEqual(new Set(['cold-boot-2']))
    expect(world.deployer.standing).toBe(0)
  })

  it('that stays cold is measured at its second boot, not booted for ever', async () => {
    const plan = { bootSeconds: 2, compileCache: () => 'miss' as const }
    const { record } = await runVirtually({ manifest, subject, plan, request: cold })
    expect(record.boots.map(({ compileCache }) => compileCache)).toEqual(['miss', 'miss'])
    expect(record.capacity[0]?.points[0]?.deployId).toBe('cold-boot-2')
  })
})
