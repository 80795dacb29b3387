// Reads what Vitest's JSON reporter wrote, names each test that failed with the start of its message, and writes "N passed,
// N failed" beside it. A file without a test that passed, or with one that was skipped, is a failure: neither shows in
// Vitest's own exit code.
import { readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'

interface Results {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const MESSAGE_CHARACTERS = 2_000

const path = process.argv[2] ?? ''
const results: Results = JSON.parse(await readFile(path, 'utf8'))
// A suite that could not be loaded fails without a failed test of its own.
const failed = results.numFailedTests || results.numFailedTestSuites
const skipped = results.numPendingTests + results.numTodoTests
await writeFile(`${path}.count`, `${results.numPassedTests} passed, ${failed} failed\n`)
for (const { name, status, message, assertionResults } of results.testResults) {
  const file = relative(process.cwd(), name)
  const failures = assertionResults.filter((test) => test.status === 'failed')
  for (const test of failures) tellFailure(`${file}: ${test.fullName}`, test.failureMessages.join('\n'))
  if (failures.length === 0 && status === 'failed') tellFailure(file, message)
}
if (skipped > 0) process.stderr.write(`error: ${skipped} tests were skipped\n`)
if (results.numPassedTests === 0) process.stderr.write('error: no test passed\n')
if (failed > 0 || skipped > 0 || results.numPassedTests === 0) process.exitCode = 1

/** Said again at the end: what a long log is cut down to is its end. */
function tellFailure(test: string, message: string): void {
  process.stderr.write(`error: ${test}\n${message.slice(0, MESSAGE_CHARACTERS)}\n`)
}
