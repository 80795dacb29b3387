import { describe, expect, it } from 'vitest'
import { interruptible } from '../../../src/entry/interruptible.ts'

/** What work that is interrupted in its midst rejects with. */
function interrupted(hint?: string): Promise<unknown> {
  const work = async (signal: AbortSignal) => {
    process.emit('SIGTERM')
    signal.throwIfAborted()
  }
  return interruptible(work, hint).catch((error: unknown) => error)
}

describe('an interrupted command', () => {
  it('is to be run again', async () => {
    expect(await interrupted()).toMatchObject({ code: 'interrupted', exitCode: 143, hint: 'run it again' })
  })

  it('says how to go on where it can be gone on with', async () => {
    expect(await interrupted('run it again with --resume')).toMatchObject({ hint: 'run it again with --resume' })
  })

  it('throws the interruption, whatever its clean-up throws', async () => {
    const work = async () => {
      process.emit('SIGINT')
      throw new Error('torn down')
    }
    await expect(interruptible(work)).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  })
})
