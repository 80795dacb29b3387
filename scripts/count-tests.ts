// Reads what Vitest's JSON reporter wrote and writes "N passed, N failed" beside it. A file without a test that passed, or
// with one that was skipped, is a failure: neither shows in Vitest's own exit code.
import { readFile, writeFile } from 'node:fs/promises'

interface Results {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  numPendingTests: number
  numTodoTests: number
}

const path = process.argv[2] ?? ''
const results: Results = JSON.parse(await readFile(path, 'utf8'))
// A suite that could not be loaded fails without a failed test of its own.
const failed = results.numFailedTests || results.numFailedTestSuites
const skipped = results.numPendingTests + results.numTodoTests
await writeFile(`${path}.count`, `${results.numPassedTests} passed, ${failed} failed\n`)
if (skipped > 0) process.stderr.write(`error: ${skipped} tests were skipped\n`)
if (results.numPassedTests === 0) process.stderr.write('error: no test passed\n')
if (failed > 0 || skipped > 0 || results.numPassedTests === 0) process.exitCode = 1
