import { removeLeftovers } from './compose.ts'
import { runnerScreen } from './runner-screen.ts'

const screen = runnerScreen((text) => void process.stderr.write(text))

// The job's conclusion is the gate's: whatever goes wrong here is said and fails nothing.
try {
  const around = { env: { ...process.env }, cwd: process.cwd(), screen }
  for (const line of await removeLeftovers(around)) screen.write(`${line}\n`)
} catch (error) {
  screen.write(`the clean-up did not finish: ${error instanceof Error ? error.message : String(error)}\n`)
}
