import { dialectFor } from '../../core/dialect/choose.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Unproven } from '../../core/dialect/unproven.ts'
import { unprovenBy } from '../../core/dialect/unproven.ts'
import type { Finding } from '../../core/manifest/finding.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { DoctorFinding, DoctorReport, DoctorSection } from '../doctor.ts'
import type { StartNeed } from '../ports/start-need.ts'
import { found } from './endpoint-findings.ts'
import type { Probed } from './endpoint-findings.ts'
import type { ProbeName } from './lacks-table.ts'

export interface ManifestOrder {
  /** For people. */
  file: string
  manifest: Manifest
  /** What is wrong with it for a run. */
  lint: readonly Finding[]
  /** What its deployment needs of this machine. */
  needs: readonly StartNeed[]
}

/** What a run of a manifest would need, before anything is started: its rules, what its engine can prove, and what must be there. */
export function manifestSection(order: ManifestOrder): DoctorSection {
  return { examine: (signal) => examine(order, signal) }
}

/** What keeps a text from being a manifest at all: nothing of what it needs can be looked at. */
export function brokenManifestSection(file: string, lint: readonly Finding[]): DoctorSection {
  const findings = ruleFindings(lint)
  return { examine: async () => ({ title: `manifest ${file}`, summary: [], findings, facts: { dialect: null, lint } }) }
}

async function examine({ file, manifest, lint, needs }: ManifestOrder, signal: AbortSignal): Promise<DoctorReport> {
  const dialect = dialectFor(manifest)
  const { engine } = manifest
  const looked: DoctorFinding[] = []
  for (const need of needs) looked.push(needFinding(need.probe, await need.look(signal)))
  const deploy = engine.deploy?.kind ?? 'an endpoint that the command names'
  const { replicas, gpus } = engine.placement
  return {
    title: `manifest ${file}`,
    summary: [
      `${engine.name} ${engine.version} as ${dialect.id} (${dialect.title}), by ${deploy}: replicas ${replicas}, GPUs ${gpus}`,
    ],
    findings: [...ruleFindings(lint), ...proofFindings(dialect, manifest), ...looked],
    facts: { dialect: dialect.id, lint },
  }
}

function ofManifest(detail: string): string {
  return `manifest.${detail}`
}

function ruleFindings(lint: readonly Finding[]): DoctorFinding[] {
  if (lint.length === 0) {
    const text = 'it breaks no rule that a run asks'
    return [{ probe: ofManifest('rules'), state: 'pass', required: true, text, cost: null, mend: null }]
  }
  return lint.map(({ rule, severity, path, line, message, hint }) => ({
    probe: ofManifest(rule),
    state: 'fail',
    required: severity === 'error',
    text: `line ${line}${path === '' ? '' : `, ${path}`}: ${message}`,
    cost: severity === 'error' ? 'a run refuses it' : 'a run says so and goes on',
    mend: hint,
  }))
}

const SHOWN: Readonly<Record<Unproven['what'], [ProbeName, string]>> = {
  version: ['endpoint.version', 'its version'],
  'token counter': ['metrics.restarts', 'a counter of tokens'],
  'cached tokens': ['cache.cached_tokens', 'cached tokens'],
}

/** What the dialect cannot show of what the manifest requires, whatever the engine. */
function proofFindings(dialect: Dialect, { acceptance, engine }: Manifest): DoctorFinding[] {
  const requires = (group: string): boolean => acceptance.required_evidence.some((name) => name === group)
  const without = `${dialect.title} is not known to show`
  const lacks = unprovenBy(dialect).map(({ group, what }): [ProbeName, boolean, string] => {
    const [probe, shown] = SHOWN[what]
    return [probe, requires(group), `${without} ${shown}`]
  })
  if (dialect.request.includeUsage === null && dialect.request.returnTokenIds === null)
    lacks.push(['generation.usage', true, `${without} how many tokens came`])
  const findings = lacks.map(([probe, required, unknown]) => found(dialect, probe, { unknown }, required))
  if (requires('host') && engine.placement.gpus === 0) findings.push(NO_GPU)
  return findings
}

const NO_GPU: DoctorFinding = {
  probe: ofManifest('host'),
  state: 'unknown',
  required: true,
  text: 'it requires host, and declares no GPU',
  cost: 'host.gpu is unknown: every run ends inconclusive',
  mend: 'State engine.placement.gpus, or leave host out of acceptance.required_evidence.',
}

/** What it costs that a need is not met, and the mend. */
const NEEDS: Readonly<Record<StartNeed['probe'], { cost: string; mend: string }>> = {
  docker: {
    cost: 'nothing can be deployed',
    mend: 'Install and start Docker, and let this user use it; DOCKER_HOST and the context say where it is.',
  },
  image: { cost: 'the run begins with a pull', mend: 'Pull it, or see that its registry is reached from here.' },
  weights: {
    cost: 'the run ends before the machine is claimed',
    mend: 'Put the weights there, or correct engine.deploy.weights.',
  },
  program: { cost: 'nothing can be started', mend: 'Install it, or correct engine.deploy.argv.' },
  ports: {
    cost: 'the run ends before it starts an engine',
    mend: 'Stop what listens there, or set another engine.deploy.first_port.',
  },
}

function needFinding(probe: StartNeed['probe'], answer: Probed): DoctorFinding {
  const { cost, mend } = NEEDS[probe]
  const shared = { probe: `needs.${probe}`, required: probe !== 'image' }
  if ('pass' in answer) return { ...shared, state: 'pass', text: answer.pass, cost: null, mend: null }
  if ('fail' in answer) return { ...shared, state: 'fail', text: answer.fail, cost, mend }
  return { ...shared, state: 'unknown', text: answer.unknown, cost, mend }
}
