import type { Questions } from '../../src/app/ports/questions.ts'
import { EXIT, GateError } from '../../src/core/kernel/errors.ts'

export interface FakeQuestions extends Questions {
  /** What was asked, with the usual answer, and why answers would not do. */
  asked: { text: string; usual: string | null }[]
  refused: string[]
  isClosed: boolean
}

/** A person who gives these lines, and then leaves. */
export function fakeQuestions(lines: readonly string[]): FakeQuestions {
  const left = [...lines]
  const questions: FakeQuestions = {
    asked: [],
    refused: [],
    isClosed: false,
    async ask({ text, usual, refusal }) {
      questions.asked.push({ text, usual })
      for (;;) {
        const line = left.shift()
        if (line === undefined) {
          const [message, hint] = ['the questions were left', 'run it again']
          throw new GateError({ code: 'interrupted', message, hint, exitCode: EXIT.sigint })
        }
        const answer = line.trim() === '' ? usual : line.trim()
        const why = answer === null ? 'there is none' : await refusal(answer)
        if (answer !== null && why === null) return answer
        questions.refused.push(why ?? '')
      }
    },
    [Symbol.dispose]() {
      questions.isClosed = true
    },
  }
  return questions
}
