import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../cli/cli-process.ts'

export interface Step {
  id?: string
  name?: string
  if?: string | boolean
  uses?: string
  run?: string
  shell?: string
  with?: Record<string, string | number | boolean>
  env?: Record<string, string | number | boolean>
  'continue-on-error'?: boolean | string
  'working-directory'?: string
}

export interface Job {
  needs?: string | string[]
  if?: string | boolean
  uses?: string
  'runs-on'?: string | string[]
  environment?: string | { name: string }
  env?: Record<string, string | number | boolean>
  outputs?: Record<string, string>
  strategy?: { matrix?: Record<string, unknown> | string }
  steps?: Step[]
}

export interface Workflow {
  on: Record<string, unknown>
  env?: Record<string, string | number | boolean>
  jobs: Record<string, Job>
}

const folder = join(root, '.github/examples')

/** Every example workflow that users are given. */
export const EXAMPLES: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yml'))
  .toSorted()

export function readExample(name: string): Workflow {
  return parse(readFileSync(join(folder, name), 'utf8')) as Workflow
}

/** The steps that are this very action, whoever keeps it. */
export function isOwn({ uses }: Step): boolean {
  return /^[\w-]+\/capacity-gate@/.test(uses ?? '')
}

/** `job/0` for each own step of a workflow. */
export function ownSteps({ jobs }: Workflow): string[] {
  return Object.entries(jobs).flatMap(([job, { steps = [] }]) =>
    steps.flatMap((step, index) => (isOwn(step) ? [`${job}/${index}`] : [])),
  )
}

/** The jobs in an order in which each comes after those that it needs. */
export function inOrder({ jobs }: Workflow): [string, Job][] {
  const [done, left] = [[] as [string, Job][], new Map(Object.entries(jobs))]
  while (left.size > 0) {
    const next = [...left].find(([, job]) => needsOf(job).every((name) => !left.has(name)))
    if (next === undefined) throw new Error(`the jobs ${[...left.keys()].join(', ')} wait for each other`)
    done.push(next)
    left.delete(next[0])
  }
  return done
}

export function needsOf({ needs = [] }: Job): string[] {
  return [needs].flat()
}
