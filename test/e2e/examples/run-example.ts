import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actionFile } from '../../unit/entry/action-desk.ts'
import { written } from '../cli/built-action.ts'
import type { BuiltAction } from '../cli/built-action.ts'
import { REPOSITORY, TOKEN } from './example-world.ts'
import type { ExampleWorld } from './example-world.ts'
import { filledIn, letsRun, valueOf } from './expressions.ts'
import type { Contexts, JobStatus, Json } from './expressions.ts'
import { combinations } from './matrix.ts'
import type { Combination } from './matrix.ts'
import { STAND_INS } from './stand-ins.ts'
import { inOrder, isOwn, needsOf, readExample } from './workflow-file.ts'
import type { Job, Step, Workflow } from './workflow-file.ts'

/** What starts a workflow. */
export interface Trigger {
  event: string
  /** As GitHub sends it. */
  payload: { readonly [key: string]: Json }
  /** Members of the payload that this event does not have, and that an expression may ask for all the same. */
  absent?: readonly string[]
  ref: string
  sha: string
  inputs?: { readonly [name: string]: Json }
  vars?: { readonly [name: string]: Json }
  secrets?: { readonly [name: string]: Json }
  runAttempt?: number
  /** Scripts that stand in for programs of the runner's image, such as `gh`. */
  programs?: Readonly<Record<string, string>>
}

interface RanStep {
  job: string
  index: number
  matrix: Combination
  own: boolean
  inputs: Record<string, string>
  outcome: 'success' | 'failure' | 'skipped'
  code: number | null
  outputs: Record<string, string>
  summary: string
  log: string
}

interface RanJob {
  result: 'success' | 'failure' | 'skipped'
  outputs: Record<string, string>
}

export interface RanExample {
  runId: string
  jobs: Record<string, RanJob>
  steps: RanStep[]
  /** The steps of a job that were run, by their place. */
  of(job: string): RanStep[]
}

/** Runs every job of an example, in order: own steps by the built action, `run:` by bash, and stand-ins for the actions of others. */
export async function runExample(
  world: ExampleWorld,
  action: BuiltAction,
  name: string,
  trigger: Trigger,
): Promise<RanExample> {
  const workflow = readExample(name)
  if (!(trigger.event in workflow.on)) throw new Error(`${name} is not started by ${trigger.event}`)
  const runId = world.nextRunId()
  const ran: RanExample = {
    runId,
    jobs: {},
    steps: [],
    of: (job) => ran.steps.filter((step) => step.job === job && step.outcome !== 'skipped'),
  }
  const run = { world, action, name, trigger, workflow, ran }
  for (const [id, job] of inOrder(workflow)) ran.jobs[id] = await runJob(run, id, job)
  return ran
}

interface Run {
  world: ExampleWorld
  action: BuiltAction
  name: string
  trigger: Trigger
  workflow: Workflow
  ran: RanExample
}

async function runJob(run: Run, id: string, job: Job): Promise<RanJob> {
  const needed = needsOf(job).map((name) => run.ran.jobs[name]?.result ?? 'skipped')
  const status: JobStatus = needed.every((result) => result === 'success') ? 'success' : 'failure'
  const contexts = contextsOf(run, id, job)
  if (job.uses !== undefined) throw new Error(`${id} calls another workflow, which nothing stands in for`)
  const outputNames = Object.keys(job.outputs ?? {})
  const nothing = Object.fromEntries(outputNames.map((name) => [name, '']))
  if (!letsRun(job.if, contexts, status)) return { result: 'skipped', outputs: nothing }
  const { matrix } = job.strategy ?? {}
  const filled = typeof matrix === 'string' ? valueOf(matrix, contexts) : deepFilled(matrix ?? null, contexts)
  const all = filled === null ? [{}] : combinations(filled as Record<string, unknown>)
  const results: RanJob[] = []
  for (const [index, combination] of all.entries())
    results.push(await runCombination(run, id, job, combination, { 'job-index': index, 'job-total': all.length }))
  const hasFailed = results.some(({ result }) => result === 'failure')
  return { result: hasFailed ? 'failure' : 'success', outputs: results.at(-1)?.outputs ?? nothing }
}

function deepFilled(value: unknown, contexts: Contexts): unknown {
  if (typeof value === 'string') return valueOf(value, contexts)
  if (Array.isArray(value)) return value.map((item) => deepFilled(item, contexts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepFilled(item, contexts)]))
}

interface Place {
  workspace: string
  temp: string
  status: JobStatus
  env: Record<string, string>
  steps: Record<string, { outputs: Record<string, Json>; outcome: string; conclusion: string }>
  posts: (() => Promise<unknown>)[]
}

async function runCombination(run: Run, id: string, job: Job, matrix: Combination, strategy: Json): Promise<RanJob> {
  const workspace = mkdtempSync(join(run.world.folder, `${id}-`))
  const temp = mkdtempSync(join(run.world.folder, 'temp-'))
  const place: Place = { workspace, temp, status: 'success', env: {}, steps: {}, posts: [] }
  const more = { matrix, strategy: strategy as { [key: string]: Json } }
  for (const [index, step] of (job.steps ?? []).entries()) {
    const contexts = { ...contextsOf(run, id, job), ...more, steps: place.steps, job: { status: place.status } }
    const env = filledEnv({ ...run.workflow.env, ...job.env, ...step.env }, contexts, place)
    const done = await runStep(run, { ...contexts, env: { ...place.env, ...env } }, place, step, env)
    const ended = { job: id, index, matrix, own: isOwn(step), ...done }
    run.ran.steps.push(ended)
    const goesOn = String(step['continue-on-error'] ?? 'false') === 'true'
    if (ended.outcome === 'failure' && !goesOn) place.status = 'failure'
    const conclusion = ended.outcome === 'failure' && goesOn ? 'success' : ended.outcome
    if (step.id !== undefined)
      place.steps[step.id] = { outputs: outputsOf(step, ended), outcome: ended.outcome, conclusion }
  }
  for (const post of place.posts.toReversed()) await post()
  const contexts = { ...contextsOf(run, id, job), ...more, steps: place.steps, job: { status: place.status } }
  const outputs = Object.entries(job.outputs ?? {}).map(([name, text]) => [name, filledIn(text, contexts)] as const)
  return { result: place.status === 'success' ? 'success' : 'failure', outputs: Object.fromEntries(outputs) }
}

/** Every output that the step could have: one that a skipped or failed step left out is empty, and any other name is a mistake. */
function outputsOf(step: Step, { outputs }: RanStep): Record<string, Json> {
  const script = step.run ?? ''
  const written = [...script.matchAll(/([\w-]+)(?:=|<<).*GITHUB_OUTPUT/g)].map(([, name = '']) => name)
  const names = isOwn(step) ? Object.keys(actionFile.outputs) : written
  return { ...Object.fromEntries(names.map((name) => [name, ''])), ...outputs }
}

type Done = Omit<RanStep, 'job' | 'index' | 'matrix' | 'own'>

async function runStep(
  run: Run,
  contexts: Contexts,
  place: Place,
  step: Step,
  env: Record<string, string>,
): Promise<Done> {
  const nothing: Done = { inputs: {}, outcome: 'skipped', code: null, outputs: {}, summary: '', log: '' }
  if (!letsRun(step.if, contexts, place.status)) return nothing
  const given = Object.entries(step.with ?? {}).map(
    ([name, value]) => [name, filledIn(String(value), contexts)] as const,
  )
  const inputs = Object.fromEntries(given)
  if (step.run !== undefined) return { ...nothing, ...(await runScript(run, contexts, place, step, env)) }
  if (isOwn(step)) return { ...nothing, inputs, ...(await runOwn(run, contexts, place, inputs, env)) }
  const standIn = STAND_INS[step.uses?.split('@')[0] ?? '']
  if (standIn === undefined) throw new Error(`${run.name}: nothing stands in for ${step.uses}`)
  const { world, trigger, ran } = run
  const foreign = { inputs, workspace: place.workspace, sha: trigger.sha, artifacts: world.artifacts, runId: ran.runId }
  try {
    const outputs = standIn({ ...foreign, repository: world.git.repository })
    return { ...nothing, inputs, outcome: 'success', code: 0, outputs }
  } catch (error) {
    return { ...nothing, inputs, outcome: 'failure', code: 1, log: String(error) }
  }
}

async function runOwn(
  { world, action, trigger }: Run,
  contexts: Contexts,
  place: Place,
  inputs: Record<string, string>,
  env: Record<string, string>,
): Promise<Partial<Done>> {
  const unknown = Object.keys(inputs).filter((name) => !(name in actionFile.inputs))
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`)
  // What the embedded engine measures is taken nowhere without that being said.
  const given = { 'github-token': TOKEN, 'allow-simulated': 'true', ...inputs }
  const event = {
    name: trigger.event,
    payload: trigger.payload,
    repository: REPOSITORY,
    sha: trigger.sha,
    apiUrl: world.github.url,
    cwd: place.workspace,
    env: { ...place.env, ...env, ...runnerEnv(contexts, place) },
  }
  const ended = await action.step(given, event)
  place.posts.push(() => action.post(given, event, ended.state))
  return { ...ended, outcome: ended.code === 0 ? 'success' : 'failure' }
}

async function runScript(
  { trigger }: Run,
  contexts: Contexts,
  place: Place,
  step: Step,
  env: Record<string, string>,
): Promise<Partial<Done>> {
  const files = ['output', 'summary', 'env'].map((name) =>
    join(place.temp, `${name}-${Object.keys(place.steps).length}`),
  )
  for (const file of files) writeFileSync(file, '')
  const [output = '', summary = '', exported = ''] = files
  const script = join(place.temp, 'script.sh')
  writeFileSync(script, filledIn(step.run ?? '', contexts))
  const programs = join(place.temp, 'bin')
  mkdirSync(programs, { recursive: true })
  for (const [name, text] of Object.entries(trigger.programs ?? {}))
    writeFileSync(join(programs, name), text, { mode: 0o755 })
  const payload = join(place.temp, 'event.json')
  writeFileSync(payload, JSON.stringify(trigger.payload))
  const own = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_ENV: exported, GITHUB_EVENT_PATH: payload }
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: join(place.workspace, filledIn(step['working-directory'] ?? '.', contexts)),
    env: {
      PATH: `${programs}:${process.env['PATH']}`,
      HOME: place.temp,
      ...place.env,
      ...env,
      ...runnerEnv(contexts, place),
      ...own,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  Object.assign(place.env, written(exported))
  const outcome = code === 0 ? 'success' : 'failure'
  return { code, outcome, outputs: written(output), summary: readFileSync(summary, 'utf8'), log }
}

/** What the runner says of the run in every step's environment. */
function runnerEnv({ github }: Contexts, { workspace, temp }: Place): Record<string, string> {
  mkdirSync(workspace, { recursive: true })
  const said = github as Record<string, string>
  const names = [
    'sha',
    'ref',
    'ref_name',
    'run_id',
    'run_attempt',
    'repository',
    'repository_owner',
    'event_name',
    'actor',
  ]
  const more = ['triggering_actor', 'job', 'workflow', 'server_url', 'api_url', 'head_ref', 'base_ref']
  const shown = [...names, ...more].map((name) => [`GITHUB_${name.toUpperCase()}`, said[name] ?? ''] as const)
  return { ...Object.fromEntries(shown), GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, CI: 'true' }
}

function filledEnv(
  env: Record<string, string | number | boolean>,
  contexts: Contexts,
  place: Place,
): Record<string, string> {
  const known = { ...contexts, env: place.env }
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filledIn(String(value), known)]))
}

function contextsOf({ world, trigger, workflow, ran }: Run, id: string, job: Job): Contexts {
  const { payload, absent = [], ref, sha, event } = trigger
  const needs = needsOf(job).map((name) => [name, ran.jobs[name] as unknown as Json] as const)
  const asked = (workflow.on['workflow_dispatch'] as { inputs?: object } | null | undefined)?.inputs ?? {}
  const pull = payload['pull_request'] as Record<string, Record<string, Json>> | undefined
  const github = {
    event: { ...Object.fromEntries(absent.map((name) => [name, null])), ...payload },
    event_name: event,
    repository: REPOSITORY,
    repository_owner: REPOSITORY.split('/')[0],
    sha,
    ref,
    ref_name: ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    run_id: ran.runId,
    run_number: '17',
    run_attempt: String(trigger.runAttempt ?? 1),
    token: TOKEN,
    actor: 'ada',
    triggering_actor: 'ada',
    workflow: id,
    job: id,
    server_url: new URL(world.git.url).origin,
    api_url: world.github.url,
    head_ref: String(pull?.['head']?.['ref'] ?? ''),
    base_ref: String(pull?.['base']?.['ref'] ?? ''),
  }
  return {
    github,
    inputs: { ...Object.fromEntries(Object.keys(asked).map((name) => [name, null])), ...trigger.inputs },
    vars: trigger.vars ?? {},
    secrets: { GITHUB_TOKEN: TOKEN, ...trigger.secrets },
    needs: Object.fromEntries(needs),
    matrix: {},
    strategy: {},
    steps: {},
    env: {},
    job: { status: 'success' },
    runner: { os: 'Linux', arch: 'X64', name: 'h100-1', temp: join(world.folder, 'runner') },
  }
}
