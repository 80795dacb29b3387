import type { SignOffPredicate } from '../signoff/record-schema.ts'
import { markdownCode, markdownText, plainText } from './escape.ts'
import { SIMULATED } from './headline.ts'
import { columns, table } from './table.ts'

type Facts = SignOffPredicate['capacityGateSignOff']

const TITLES: Record<SignOffPredicate['result'], string> = {
  PASSED: '✅ Signed off',
  WARNED: '⚠️ Signed off with exceptions',
  FAILED: '❌ Not signed off, action needed',
}

/** Refusals, notes and pieces of evidence shown at most; the predicate has them all. */
const SHOWN_MAX = 50

/** sign-off.md: the same as the predicate, for people. Whatever comes from packs, policy and other tools is escaped. */
export function renderSignOff(predicate: SignOffPredicate): string {
  const facts = predicate.capacityGateSignOff
  const rows = facts.requirements.map(({ requirement, status, text, waiver }) => [
    requirement,
    `**${status}**`,
    markdownText(text, 300),
    waiver === null
      ? ''
      : `${markdownText(waiver.by, 80)}, until ${markdownText(waiver.expires, 20)}: ${markdownText(waiver.reason, 500)}`,
  ])
  const blocks = [
    `## ${TITLES[predicate.result]}: ${subjectMarkdown(facts)}`,
    facts.simulated ? SIMULATED : '',
    validity(predicate),
    table(columns('requirement', 'status', 'what was seen', 'waived by'), rows),
    ...list(
      'Refused',
      facts.refusals.map(
        ({ source, code, text }) =>
          `${markdownCode(source, 200)} ${markdownText(text, 500)} (${markdownCode(code, 60)})`,
      ),
    ),
    ...list('Evidence', evidenceLines(facts)),
    ...list(
      'Notes',
      facts.notes.map((note) => markdownText(note, 500)),
    ),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function subjectMarkdown({ subject }: Facts): string {
  if (subject === null) return 'no subject'
  return `${markdownCode(subject.engine, 80)} ${markdownCode(subject.version, 80)}`
}

function validity({ result, capacityGateSignOff: facts }: SignOffPredicate): string {
  const { subject, approval, packsFrom } = facts
  const lines = [
    subject === null ? '' : `Subject: ${markdownCode(`${subject.name}@sha256:${subject.digest}`, 400)}`,
    subject?.kind === 'image' ? `With its arguments and environment: \`sha256:${subject.subjectSha256}\`` : '',
    facts.gateId === null ? '' : `Gate: ${markdownCode(facts.gateId, 100)}`,
    result === 'FAILED'
      ? ''
      : `Holds until ${facts.expiresOn}; evidence was at most ${facts.maxAgeDays} days old on ${facts.signedAt}`,
    packsFrom === null
      ? ''
      : `Packs of ${markdownCode(packsFrom.url, 200)}: ${markdownText(packsFrom.event, 40)} on ${markdownCode(packsFrom.branch, 200)} at ${markdownCode(packsFrom.commit, 64)}`,
    approval === null
      ? ''
      : `Approved in the environment ${markdownCode(approval.environment, 100)} by ${approval.by
          .slice(0, 10)
          .map((name) => markdownCode(name, 80))
          .join(', ')}`,
  ]
  return lines
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n')
}

function evidenceLines({ requirements }: Facts): string[] {
  return requirements.flatMap(({ requirement, evidence }) =>
    evidence.map(
      ({ source, sha256, outcome, measuredAt }) =>
        `${requirement}: ${markdownCode(source, 200)} (${markdownText(outcome, 40)}, ${markdownText(measuredAt, 40)}, \`sha256:${sha256}\`)`,
    ),
  )
}

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, SHOWN_MAX).map((item) => `- ${item}`)
  const rest = items.length > SHOWN_MAX ? [`- and ${items.length - SHOWN_MAX} more`] : []
  return [`### ${title}`, [...shown, ...rest].join('\n')]
}

/** The same as short plain lines for a terminal; nothing from outside can move its cursor. */
export function signOffText(predicate: SignOffPredicate): string {
  const { capacityGateSignOff: facts, result } = predicate
  const { subject } = facts
  const of = subject === null ? '' : `: ${plainText(`${subject.name}@sha256:${subject.digest}`, 400)}`
  const word = { PASSED: 'SIGNED OFF', WARNED: 'SIGNED OFF with exceptions', FAILED: 'NOT SIGNED OFF' }[result]
  return [
    `${word}${of}`,
    ...(facts.simulated ? [SIMULATED] : []),
    ...facts.requirements.map(({ requirement, status, text, waiver }) => {
      const by =
        waiver === null
          ? ''
          : `; waived by ${plainText(waiver.by, 80)} until ${plainText(waiver.expires, 20)}: ${plainText(waiver.reason, 300)}`
      return `  ${requirement} ${status}: ${plainText(text, 300)}${by}`
    }),
    ...facts.refusals
      .slice(0, SHOWN_MAX)
      .map(
        ({ source, code, text }) =>
          `  refused: ${plainText(source, 200)} ${plainText(text, 500)} [${plainText(code, 60)}]`,
      ),
    ...facts.notes.slice(0, SHOWN_MAX).map((note) => `  note: ${plainText(note, 500)}`),
    ...(result === 'FAILED' ? [] : [`  holds until ${facts.expiresOn}`]),
  ].join('\n')
}
