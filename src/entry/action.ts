import { runAction } from './action-main.ts'
import { runnerDesk } from './runner-desk.ts'

process.exitCode = await runAction(runnerDesk())
