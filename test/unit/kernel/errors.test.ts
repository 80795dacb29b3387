import { describe, expect, it } from 'vitest'
import { EXIT, GateError } from '../../../src/core/kernel/errors.ts'
import { evidenceGroup } from '../../../src/core/kernel/evidence.ts'
import { assertNever } from '../../../src/core/kernel/exhaustive.ts'

describe('a GateError', () => {
  it('says what, how to mend it, and how the program ends', () => {
    const cause = new Error('inner')
    const error = new GateError({
      code: 'port_in_use',
      message: 'port 8000 is in use',
      hint: 'Free it.',
      exitCode: EXIT.invalid,
      cause,
    })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'GateError', code: 'port_in_use', hint: 'Free it.', exitCode: 4, cause })
  })

  it('is the tool failing where nothing else is said, and has no cause it was not given', () => {
    const error = new GateError({ code: 'x', message: 'm', hint: 'h' })
    expect(error.exitCode).toBe(1)
    expect(Object.hasOwn(error, 'cause')).toBe(false)
  })

  it('ends with codes that differ', () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.values(EXIT).length)
    expect(EXIT).toMatchObject({ ok: 0, failed: 1, regressed: 2, inconclusive: 3, invalid: 4, usage: 64 })
  })
})

describe('evidenceGroup', () => {
  it('is what stands before the first dot', () => {
    expect(evidenceGroup('identity.version')).toBe('identity')
    expect(evidenceGroup('cache_hit.reset.external')).toBe('cache_hit')
    expect(evidenceGroup('queue')).toBe('queue')
  })
})

describe('assertNever', () => {
  it('says which value the types did not foresee', () => {
    expect(() => assertNever('boom' as never, 'outcome')).toThrow('outcome is not handled: "boom"')
  })
})
