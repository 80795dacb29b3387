import { expect, it } from 'vitest'
import { spawnGroup } from '../../../../src/adapters/system/process-group.ts'
import { settledCommandLine } from '../../../../src/adapters/system/process-table.ts'

/** Each replaces itself by the next: for most of its start the program is between two of them, where it has no arguments. */
const WRAPPED = [...Array.from({ length: 40 }, () => ['nice', '-n', '0']).flat(), 'sleep', '60']

it('the arguments of a program behind wrappers are known, however many it is still to replace', async () => {
  for (let run = 0; run < 20; run++) {
    const environment = { PATH: process.env['PATH'] ?? '' }
    const group = await spawnGroup({ argv: WRAPPED, cwd: '/', environment, onOutput: () => undefined })
    process.kill(-group.pid, 'SIGKILL')
    await group.ended
    group.forget()
    expect(group.argvAsRun?.slice(-2)).toEqual(['sleep', '60'])
    expect(await settledCommandLine(group.pid)).toBeNull()
  }
})
