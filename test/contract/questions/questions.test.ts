import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { terminalQuestions } from '../../../src/adapters/terminal/questions.ts'
import type { Questions } from '../../../src/app/ports/questions.ts'
import { fakeQuestions } from '../../fakes/questions.ts'

/** A terminal on which these lines are typed before anything is asked, and then left. */
function typed(lines: readonly string[]): { questions: Questions; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const shown: string[] = []
  output.on('data', (chunk: Buffer) => shown.push(chunk.toString()))
  const questions = terminalQuestions(input, output)
  input.end(lines.map((line) => `${line}\n`).join(''))
  return { questions, shown: () => shown.join('') }
}

const kinds: [string, (lines: readonly string[]) => Questions][] = [
  ['a terminal', (lines) => typed(lines).questions],
  ['the fake', (lines) => fakeQuestions(lines)],
]

const anything = { refusal: () => null }

describe.each(kinds)('%s', (_, make) => {
  it('gives a line’s answer, and the usual one for an empty line', async () => {
    using questions = make(['  one ', '', 'three'])
    expect(await questions.ask({ text: 'First', usual: 'x', ...anything })).toBe('one')
    expect(await questions.ask({ text: 'Second', usual: 'two', ...anything })).toBe('two')
    expect(await questions.ask({ text: 'Third', usual: null, ...anything })).toBe('three')
  })

  it('asks again until an answer will do', async () => {
    using questions = make(['', 'bad', 'worse', 'good'])
    const refusal = async (answer: string) => (answer === 'good' ? null : `${answer} will not do`)
    expect(await questions.ask({ text: 'Which', usual: null, refusal })).toBe('good')
  })

  it('is left by a person', async () => {
    using questions = make(['one'])
    await questions.ask({ text: 'First', usual: null, ...anything })
    const second = questions.ask({ text: 'Second', usual: 'usual', ...anything })
    await expect(second).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  })
})

describe('a terminal', () => {
  it('shows question, usual answer, and why an answer will not do, each free of control characters', async () => {
    const { questions, shown } = typed(['bad', ''])
    const refusal = (answer: string) => (answer === 'bad' ? 'not \u001b[31mthat\none' : null)
    await questions.ask({ text: 'Which\u001b[2J one', usual: 'usual', refusal })
    expect(shown()).toContain('Which[2J one [usual]: ')
    expect(shown()).toContain('  not [31mthat one\n')
  })

  it('takes Ctrl-C for leaving', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    using questions = terminalQuestions(input, output)
    const asked = questions.ask({ text: 'Which', usual: null, refusal: () => null })
    input.write('\u0003')
    await expect(asked).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  })
})
