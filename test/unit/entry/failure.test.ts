import { describe, expect, it } from 'vitest'
import { GateError } from '../../../src/core/kernel/errors.ts'
import { failureOf } from '../../../src/entry/failure.ts'

const full = (path: string) =>
  new GateError({ code: 'disk_full', message: `cannot write ${path}: the disk is full`, hint: 'free space' })

/** A resource whose disposal fails. */
const failing = (path: string) => ({
  async [Symbol.asyncDispose]() {
    throw full(path)
  },
})

describe('a failure', () => {
  it('is what went wrong first, whatever went wrong on the way out after it', async () => {
    const work = async () => {
      await using _log = failing('engine.log')
      await using _journal = failing('journal.jsonl')
      throw full('requests.csv')
    }
    const error = await work().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'SuppressedError' })
    expect(failureOf(error)).toMatchObject({
      code: 'disk_full',
      exitCode: 1,
      what: expect.stringContaining('requests.csv'),
    })
  })

  it('of two disposals is the first one’s', async () => {
    const work = async () => {
      await using _log = failing('engine.log')
      await using _journal = failing('journal.jsonl')
    }
    const error = await work().catch((thrown: unknown) => thrown)
    expect(failureOf(error)).toMatchObject({ code: 'disk_full', what: expect.stringContaining('journal.jsonl') })
  })
})
