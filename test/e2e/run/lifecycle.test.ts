import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPack } from '../../../src/adapters/system/pack.ts'
import { findProcess, pidSpace } from '../../../src/adapters/system/process-table.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { builtAction } from '../cli/built-action.ts'
import { cli, scratch, start } from '../cli/cli-process.ts'
import { quickFlags } from './quick-manifest.ts'
import { measuringStep } from './step-left.ts'

const action = builtAction()

/** A folder for temporary files with a calibration, which takes six seconds. */
const kept = join(scratch(), 'tmp')
beforeAll(async () => {
  await using step = await measuringStep(action)
  await step.underLoad()
  ;(await step.child).kill('SIGINT')
  await step.ended
  cpSync(step.temporary, kept, { recursive: true })
}, 120_000)

async function verified(pack: string): Promise<string[]> {
  if (!existsSync(join(pack, 'run.json'))) return []
  const { discrepancies, partial } = await verifyPack(await openPack(pack))
  return [
    ...discrepancies.map(({ path, text }) => `${path} ${text}`),
    ...(partial === null ? ['it is not partial'] : []),
  ]
}

describe.concurrent('a step that is killed', () => {
  // Spread over its start, the calibration of every second, boot, warm-up, cohort and judgement.
  const moments = Array.from({ length: 20 }, (_, index) => ({
    moment: index + 1,
    ms: Math.round(150 + index * 450 + Math.random() * 450),
  }))

  it.each(moments)(
    'at moment $moment of 20 leaves nothing after its post step but a partial pack, and the comment says so',
    { timeout: 240_000 },
    async ({ moment, ms }) => {
      await using step = await measuringStep(action, {}, moment % 2 === 0 ? kept : null)
      const child = await step.child
      await delay(ms)
      child.kill('SIGKILL')
      const { state, log } = await step.ended
      const wasOver = child.signalCode === null
      const post = await step.post(state)
      expect([ms, post.code, await step.left()]).toEqual([ms, 0, []])
      if (wasOver) return
      expect([ms, log, await verified(step.pack)]).toEqual([ms, log, []])
      const said = step.github.comments.map(({ body }) => body.split('\n')[1])
      const expected = state['run'] === undefined ? [] : ['## ⚠️ Capacity not measured: the run was cancelled']
      expect([ms, said]).toEqual([ms, expected])
    },
  )
})

/** An engine that hears no SIGTERM, and a manifest that would give it a minute. */
const DEAF =
  'data:text/javascript,const once=process.once;process.once=function(n,l){return n==="SIGTERM"?this:once.call(this,n,l)};process.on("SIGTERM",()=>{})'
const STUBBORN = {
  argv: ['{node}', '--import', DEAF, 'fixtures/engine/main.ts', ...quickFlags([])],
  stop_timeout_seconds: 60,
}

describe('a job that is cancelled or out of time', () => {
  it('ends within what the runner gives, whatever its engine does, and its comment and pack say how far it came', async () => {
    await using step = await measuringStep(action, { deploy: STUBBORN }, kept)
    step.github.seed('A note of somebody else', { login: 'alice', type: 'User' })
    await step.underLoad()
    const child = await step.child
    child.kill('SIGINT')
    const runner = [setTimeout(() => child.kill('SIGTERM'), 7500), setTimeout(() => child.kill('SIGKILL'), 10_000)]
    const { code, state, summary, outputs } = await step.ended
    for (const timer of runner) clearTimeout(timer)
    expect([code, child.signalCode, state['end'], summary]).toEqual([130, null, 'interrupted', ''])
    expect(outputs).toMatchObject({ verdict: '', 'pack-path': step.pack })
    expect(await step.left()).toEqual([])
    const post = await step.post(state)
    expect([post.code, await step.left()]).toEqual([0, []])
    const [, comment] = step.github.comments
    expect(comment?.body).toMatch(
      /^<!-- capacity-gate:quick: -->\n## ⚠️ Capacity not measured: the run was cancelled\n/,
    )
    for (const text of [comment?.body, post.summary])
      expect(text).toMatch(/\*\*Cancelled\*\* at point \d of \d \(`cold-open-\d+-r1`\), head .*: nothing is judged\./)
    expect(await verified(step.pack)).toEqual([])
    const seen = await cli('verify', step.pack)
    expect([seen.code, seen.stderr]).toEqual([0, ''])
    expect(seen.stdout).toMatch(/was not finished, and is not judged \[unfinished\]\n.*: PARTIAL: the run was ended/)
  }, 180_000)

  it('says nothing over the comment of a pull request that has moved on: the summary does', async () => {
    await using step = await measuringStep(action, {}, kept)
    await step.underLoad()
    ;(await step.child).kill('SIGINT')
    const { state } = await step.ended
    step.github.pulls.splice(0, 1, { number: 7, state: 'open', sha: 'd'.repeat(40), head: 'acme:bump' })
    const post = await step.post(state)
    expect([post.code, step.github.comments]).toEqual([0, []])
    expect(post.summary).toContain('**Cancelled** at point')
    expect(post.summary).toMatch(/_No comment was written: the pull request has moved on to dddddddddd/)
  }, 180_000)

  it('whose token has ended says so in its summary', async () => {
    await using step = await measuringStep(action, {}, kept)
    await step.underLoad()
    ;(await step.child).kill('SIGINT')
    const { state } = await step.ended
    step.github.outages.push({ status: 401, message: 'Bad credentials' })
    const post = await step.post(state)
    expect([post.code, step.github.comments]).toEqual([0, []])
    expect(post.summary).toContain('a job’s own token ends after 24 hours at most')
  }, 180_000)

  it('in a container, where the runner’s signals do not arrive, is ended by its post step', async () => {
    await using step = await measuringStep(action, {}, kept)
    await step.underLoad()
    const { pid = 0 } = await step.child
    const started = (await findProcess(pid))?.started
    const { container } = pidSpace()
    const run = JSON.stringify({ gateId: 'quick', startedAt: new Date().toISOString(), pid, started, container })
    const post = await step.post({ run })
    expect(post.log).toContain(`process ${pid} of the step still ran: it was ended`)
    expect([post.code, (await step.ended).code, await step.left()]).toEqual([0, 130, []])
    expect(step.github.comments).toHaveLength(1)
  }, 180_000)
})

it('nothing to clean is said, and is no failure', async () => {
  const ended = await start('cli', ['clean', '--json'], { TMPDIR: kept }).ended
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { removed: [] }])
})
