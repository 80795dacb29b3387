import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Question, Questions } from '../../app/ports/questions.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { plainText } from '../../core/report/escape.ts'

const LINE_MAX = 500

/** Questions a line each, for any terminal and a reader of the screen: nothing is drawn over. Lines that come early are kept. */
export function terminalQuestions(input: Readable, output: Writable): Questions {
  const terminal = createInterface({ input, output, terminal: true, historySize: 0 })
  const early: string[] = []
  let taking: { resolve(line: string): void; reject(error: unknown): void } | null = null
  let isOver = false
  terminal.on('line', (line) => {
    if (taking === null) early.push(line)
    else taking.resolve(line)
    taking = null
  })
  terminal.on('close', () => {
    isOver = true
    // What follows begins on a line of its own.
    if (taking !== null) output.write('\n')
    taking?.reject(ended())
    taking = null
  })
  terminal.on('SIGINT', () => terminal.close())
  const nextLine = (prompt: string): Promise<string> => {
    terminal.setPrompt(prompt)
    terminal.prompt()
    const line = early.shift()
    if (line !== undefined) return Promise.resolve(line)
    if (isOver) return Promise.reject(ended())
    return new Promise((resolve, reject) => (taking = { resolve, reject }))
  }
  return {
    async ask({ text, usual, refusal }: Question) {
      const prompt = `${plainText(text, LINE_MAX)}${usual === null ? '' : ` [${plainText(usual, LINE_MAX)}]`}: `
      for (;;) {
        const line = (await nextLine(prompt)).trim()
        const answer = line === '' ? usual : line
        const why = answer === null ? 'there is no usual answer to this one' : await refusal(answer)
        if (answer !== null && why === null) return answer
        output.write(`  ${plainText(why ?? '', LINE_MAX)}\n`)
      }
    },
    [Symbol.dispose]() {
      terminal.close()
    },
  }
}

function ended(): GateError {
  return new GateError({
    code: 'interrupted',
    message: 'the questions were left: nothing was written',
    hint: 'run it again, or give the answers by flags',
    exitCode: EXIT.sigint,
  })
}
