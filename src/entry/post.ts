import * as core from '@actions/core'
import { cleanUp } from './clean-up.ts'
import { runPost } from './post-main.ts'
import { runnerDesk } from './runner-desk.ts'
import { runnerScreen } from './runner-screen.ts'
import { readStepState } from './step-state.ts'

const screen = runnerScreen((text) => void process.stderr.write(text))
const around = { env: { ...process.env }, cwd: process.cwd(), screen }

await runPost({
  state: readStepState(core.getState),
  screen,
  cleanUp: (run) => cleanUp(around, run, run && core.getInput('pack')),
  action: runnerDesk,
})
