import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { parse, stringify } from 'yaml'
import { recordedIn } from '../../fakes/recorded-events.ts'
import { builtAction } from '../cli/built-action.ts'
import type { BuiltAction } from '../cli/built-action.ts'
import { quickFlags, quickManifest } from '../run/quick-manifest.ts'
import { exampleWorld, REPOSITORY } from './example-world.ts'
import type { ExampleWorld } from './example-world.ts'
import type { Json } from './expressions.ts'
import { runExample } from './run-example.ts'
import type { RanExample, Trigger } from './run-example.ts'

export const MANIFEST = 'workload-manifest.yaml'

/** What the examples' scenarios share: one repository, whose `main` has the embedded engine's manifest in place of a GPU engine's. */
export interface Stage {
  world: ExampleWorld
  action: BuiltAction
  /** The manifest of a revision whose engine is started with these flags as well, and otherwise as `over` says. */
  manifest(flags?: readonly string[], over?: Record<string, unknown>): string
  /** Runs an example, and remembers which of its own steps ran. */
  run(example: string, trigger: Trigger): Promise<RanExample>
  /** `example: job/step` of every own step that was started. */
  started: Set<string>
}

/** Faults of a revision. */
export const LOSES_HITS = ['--fault', 'cache_off_after_requests=8']

export function stage(): () => Stage {
  const action = builtAction()
  let made: Stage | null = null
  beforeAll(async () => {
    const world = await exampleWorld()
    const { path } = await quickManifest(world.folder, { program: join(action.dist, 'fixture-engine.js') })
    const text = readFileSync(path, 'utf8')
    const started = new Set<string>()
    made = {
      world,
      action,
      started,
      manifest(flags = [], over = {}) {
        const manifest = parse(text)
        const [node, program] = manifest.engine.deploy.argv
        manifest.engine.deploy.argv = [node, program, ...quickFlags(flags)]
        return stringify({ ...manifest, ...over })
      },
      async run(example, trigger) {
        const ran = await runExample(world, action, example, trigger)
        for (const { own, job, index, outcome } of ran.steps)
          if (own && outcome !== 'skipped') started.add(`${example}: ${job}/${index}`)
        return ran
      },
    }
  })
  afterAll(async () => made?.world[Symbol.asyncDispose]())
  return () => {
    if (made === null) throw new Error('the stage is made before all tests')
    return made
  }
}

type Payload = { [key: string]: Json }

/** A commit on `main` that was pushed. */
export function pushed(sha: string, before: string): Trigger {
  const payload = recordedIn(REPOSITORY, 'push', (item) => item['ref'] === 'refs/heads/master') as unknown as Payload
  const head = { id: sha, message: 'Upgrade the engine (#7)' }
  Object.assign(payload, { after: sha, before, head_commit: head })
  return { event: 'push', payload, ref: 'refs/heads/main', sha }
}

export function dispatched(sha: string, inputs: { readonly [name: string]: Json }): Trigger {
  const payload = recordedIn(REPOSITORY, 'workflow_dispatch', (item) => item['ref'] === 'refs/heads/main')
  const own = { ...(payload as unknown as Payload), inputs }
  return { event: 'workflow_dispatch', payload: own, absent: ['head_commit'], ref: 'refs/heads/main', sha, inputs }
}

/** A night. GitHub's own payload of it has next to nothing. */
export function scheduled(sha: string): Trigger {
  const { repository } = recordedIn(REPOSITORY, 'push') as unknown as Payload
  const payload = { schedule: '17 1 * * *', repository: repository ?? null }
  return { event: 'schedule', payload, ref: 'refs/heads/main', sha }
}

/** A pull request at a commit, whose checkout is that commit too. */
export function pullRequest(head: string, base: string, action = 'synchronize', event = 'pull_request'): Trigger {
  const payload = recordedIn(REPOSITORY, 'pull_request', (item) => item['action'] === action) as unknown as Payload
  const pull = payload['pull_request'] as Record<string, Record<string, Json>>
  Object.assign(payload, { number: 7 })
  Object.assign(pull, { number: 7 })
  Object.assign(pull['head'] ?? {}, { sha: head, ref: 'bump' })
  Object.assign(pull['base'] ?? {}, { sha: base, ref: 'main' })
  return { event, payload, absent: ['merge_group'], ref: 'refs/pull/7/merge', sha: head }
}

export function mergeGroup(head: string, base: string): Trigger {
  const payload = recordedIn(REPOSITORY, 'merge_group') as unknown as Payload
  const ref = `refs/heads/gh-readonly-queue/main/pr-7-${base}`
  Object.assign(payload['merge_group'] as object, { head_sha: head, base_sha: base, head_ref: ref })
  return { event: 'merge_group', payload, absent: ['pull_request'], ref, sha: head }
}

/** Another workflow's run that came to its end, as the workflow that tells of it is started. */
export function finished(runId: string, head: string, of: { owner: string; branch: string }, run: Trigger): Trigger {
  const payload = recordedIn(
    REPOSITORY,
    'workflow_run',
    (item) => item['action'] === 'completed' && item.repository.full_name === 'octo-org/octo-repo',
  ) as unknown as Payload
  Object.assign(payload['workflow_run'] as object, {
    id: Number(runId),
    run_attempt: 1,
    event: run.event,
    conclusion: 'success',
    // A run of `pull_request_target` is one of the default branch's commit.
    head_sha: run.sha,
    head_commit: { id: head },
    head_branch: of.branch,
    head_repository: { full_name: `${of.owner}/engine`, owner: { login: of.owner } },
    pull_requests: [],
  })
  return { event: 'workflow_run', payload, ref: 'refs/heads/main', sha: run.sha }
}
