import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Recorded, streamsFolder } from './recorded.ts'
import { type ExpectedRecord, referenceRecord } from './reference.ts'

/** What an answer's head alone must give, where no body is read. */
interface ExpectedHead {
  httpStatus: number
  status: string
  errorCode: string
}

/** The path of a set's expected records, a line each, beside its answers. */
export function expectedPath(situation: string): string {
  return join(streamsFolder, `${situation}.expected.jsonl`)
}

/** The stored records of a set by name: of streams, and of answers that their heads decide. */
export function storedExpectations(situation: string): {
  streams: Map<string, ExpectedRecord>
  heads: Map<string, ExpectedHead>
} {
  const path = expectedPath(situation)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const streams = new Map<string, ExpectedRecord>()
  const heads = new Map<string, ExpectedHead>()
  for (const line of lines) {
    const { name, ...rest } = JSON.parse(line) as { name: string } & (ExpectedRecord | ExpectedHead)
    if ('httpStatus' in rest) heads.set(name, rest)
    else streams.set(name, rest)
  }
  return { streams, heads }
}

/** The same lines as the reference makes them from the bytes. */
export function referenceLines(answers: readonly Recorded[]): string {
  return answers
    .map((answer) => {
      const { name, isStream, httpStatus, body, isWhole, expectation } = answer
      if (isStream && httpStatus === 200)
        return `${JSON.stringify({ name, ...referenceRecord(body, isWhole, expectation) })}\n`
      const isOverload = httpStatus === 429 || httpStatus === 503
      const errorCode = httpStatus === 200 ? 'not_an_event_stream' : 'http_status'
      return `${JSON.stringify({ name, httpStatus, status: isOverload ? 'rejected' : 'error', errorCode })}\n`
    })
    .join('')
}
