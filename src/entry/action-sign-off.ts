import { openStore } from '../adapters/store/open-store.ts'
import type { Annotation } from '../app/ports/publisher.ts'
import { markdownText, plainText } from '../core/report/escape.ts'
import { renderSignOff, signOffText } from '../core/report/sign-off.ts'
import type { SignOffPredicate } from '../core/signoff/record-schema.ts'
import { isSigned } from '../core/signoff/sign-off.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { signOffOutputs } from './action-outputs.ts'
import { setOutputs, summarise } from './action-publish.ts'
import { findingAnnotations } from './finding-annotations.ts'
import { workflowRepository } from './repository-access.ts'
import { approvalOf, sourceRun } from './sign-off-right.ts'
import { NO_POLICY, readPolicyFile } from './sign-off-files.ts'
import type { PolicyFile } from './sign-off-files.ts'
import { makeSignOff, readAndCheck, removeEarlierSignOff } from './sign-off-run.ts'

/** The folder of sign-off.json and sign-off.md, in the workspace. */
const OUT = 'sign-off'

/** Signs a release off by the packs of earlier jobs, or checks a sign-off. Returns the exit code; throws GateError. */
export async function signOffStep(desk: ActionDesk, inputs: ActionInputs): Promise<number> {
  return inputs.signOff.check === '' ? sign(desk, inputs) : check(desk, inputs)
}

async function sign(desk: ActionDesk, inputs: ActionInputs): Promise<number> {
  const nowMs = Date.now()
  await removeEarlierSignOff(OUT)
  const made = await makeSignOff({
    packs: linesOf(inputs.pack),
    policy: await policyFor(desk, inputs, nowMs),
    subject: inputs.signOff.subject,
    evidence: linesOf(inputs.signOff.evidence),
    store: await openStore(inputs.baseline, workflowRepository(desk, inputs)),
    allowSimulated: inputs.signOff.allowSimulated,
    approval: await approvalOf(desk, inputs),
    packsFrom: await sourceRun(desk, inputs),
    runUrl: desk.facts.runUrl,
    nowMs,
    out: OUT,
  })
  setOutputs(desk, signOffOutputs(made.predicate, made.predicatePath))
  desk.screen.write(`${signOffText(made.predicate)}\n`)
  await summarise(desk, desk.publisher(inputs), made.markdown)
  desk.publisher(inputs).annotate(problemAnnotations(made.predicate))
  return made.exitCode
}

async function policyFor(desk: ActionDesk, inputs: ActionInputs, nowMs: number): Promise<PolicyFile> {
  const file = inputs.signOff.policy
  if (file === '') return NO_POLICY
  return readPolicyFile(file, nowMs, (findings) =>
    desk.publisher(inputs).annotate(findingAnnotations({ file, findings })),
  )
}

/** What stands in the way, so that it is seen without opening the log. */
function problemAnnotations({ capacityGateSignOff: { requirements, refusals } }: SignOffPredicate): Annotation[] {
  const unmet = requirements.filter(({ status }) => !isSigned(status))
  return [
    ...unmet.map(({ requirement, status, text }) => error(`${requirement} is ${status}: ${text}`)),
    ...refusals.map(({ source, text }) => error(`${source} ${text}`)),
  ].slice(0, ANNOTATIONS_MAX)
}

/** A step shows ten of a kind. */
const ANNOTATIONS_MAX = 10

function error(message: string): Annotation {
  return { level: 'error', title: 'Not signed off', message: message.slice(0, 1000) }
}

/** A policy that is at hand says what the record must have been asked for. */
async function check(desk: ActionDesk, inputs: ActionInputs): Promise<number> {
  const nowMs = Date.now()
  const { policy, sha256 } = await policyFor(desk, inputs, nowMs)
  const { predicate, problems, exitCode } = await readAndCheck({
    file: inputs.signOff.check,
    subject: inputs.signOff.subject,
    requires: sha256 === null ? [] : policy.requires,
    allowSimulated: inputs.signOff.allowSimulated,
    nowMs,
  })
  const holds = problems.length === 0
  setOutputs(desk, signOffOutputs(holds ? predicate : { ...predicate, result: 'FAILED' }, ''))
  const said = problems.map(({ text }) => text)
  desk.screen.write(
    `${holds ? signOffText(predicate) : ['NOT SIGNED OFF', ...said.map((text) => `  ${plainText(text, 500)}`)].join('\n')}\n`,
  )
  desk.publisher(inputs).annotate(said.slice(0, ANNOTATIONS_MAX).map(error))
  const lines = said.map((text) => `- ${markdownText(text, 500)}`)
  const markdown = holds ? renderSignOff(predicate) : `## ❌ The sign-off does not hold\n\n${lines.join('\n')}\n`
  await summarise(desk, desk.publisher(inputs), markdown)
  return exitCode
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
