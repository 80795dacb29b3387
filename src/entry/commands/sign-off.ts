import { stat } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { openStore } from '../../adapters/store/open-store.ts'
import { GateError } from '../../core/kernel/errors.ts'
import { plainText } from '../../core/report/escape.ts'
import { signOffText } from '../../core/report/sign-off.ts'
import type { Requirement } from '../../core/signoff/requirement.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example, wholeNumber } from '../command.ts'
import { clonedRepository } from '../repository-access.ts'
import { NO_POLICY, POLICY_PATH, readPolicyFile, requirementsOf } from '../sign-off-files.ts'
import type { PolicyFile } from '../sign-off-files.ts'
import { makeSignOff, readAndCheck, removeEarlierSignOff } from '../sign-off-run.ts'
import type { SignOffMade } from '../sign-off-run.ts'
import { usage } from '../usage.ts'
import { findingText } from './lint.ts'

interface Options {
  out: string
  subject?: string
  policy?: string
  requires?: Requirement[]
  maxAgeDays?: number
  evidence?: string[]
  baseline?: string
  allowSimulated?: true
  check?: string
}

export const addSignOff: AddCommand = (program, desk) => {
  program
    .command('sign-off')
    .description('Sign a release off by the verdicts of its packs, as an in-toto test result; or check a sign-off.')
    .argument('[packs...]', 'folders that runs wrote, or folders of such')
    .option('--out <folder>', 'the folder for sign-off.json and sign-off.md', 'sign-off')
    .option('--subject <digest>', 'the one that is signed off: sha256:… of its image, or its hash')
    .option(
      '--policy <file>',
      `what a release must show, and what is waived (default: ${POLICY_PATH}, where there is one)`,
    )
    .option('--requires <list>', 'of cold, warm, drill, parity: instead of the policy’s', requirements)
    .option('--max-age-days <days>', 'the oldest evidence that counts: instead of the policy’s', wholeNumber)
    .option('--evidence <name=file>', 'a drill or parity: an in-toto test result; may be given again', collected)
    .option('--baseline <ref>', 'where baselines are kept: verdicts against others are refused')
    .option('--allow-simulated', 'take runs of the embedded engine; what is signed off is marked as simulated')
    .option('--check <file>', 'instead of packs: whether that sign-off still holds for --subject')
    .addHelpText(
      'after',
      example(
        'capacity-gate sign-off pack-cold pack-warm --subject sha256:… --baseline branch:capacity-baselines',
        'capacity-gate sign-off --check sign-off/sign-off.json --subject sha256:…',
      ),
    )
    .action(async (packs: string[], options: Options) => {
      if (options.check !== undefined) await check(desk, packs, options.check, options)
      else await make(desk, packs, options)
    })
}

async function make(desk: Desk, packs: string[], options: Options): Promise<void> {
  if (packs.length === 0) throw usage('no pack is named', 'name the folders that the release’s runs wrote')
  const { out, subject = '', evidence = [], baseline } = options
  const nowMs = Date.now()
  await removeEarlierSignOff(out)
  const made = await makeSignOff({
    packs,
    policy: await policyFor(desk, options, nowMs),
    subject,
    evidence,
    store: baseline === undefined ? null : await openStore(baseline, clonedRepository(desk.inputs)),
    allowSimulated: options.allowSimulated ?? false,
    approval: null,
    packsFrom: null,
    runUrl: null,
    nowMs,
    out,
  })
  const text = `${signOffText(made.predicate)}\n${plainText(made.predicatePath, 500)}`
  desk.finish({ exitCode: made.exitCode, text, json: jsonOf(made) })
}

function jsonOf({ predicate, predicatePath, reportPath }: SignOffMade) {
  return { predicatePath, reportPath, predicate }
}

async function policyFor(
  desk: Desk,
  { policy: named, requires, maxAgeDays }: Options,
  nowMs: number,
): Promise<PolicyFile> {
  const isThere = (await stat(POLICY_PATH).catch(() => null)) !== null
  const path = named ?? (isThere ? POLICY_PATH : null)
  const read =
    path === null
      ? NO_POLICY
      : await readPolicyFile(path, nowMs, (findings) => {
          for (const finding of findings) desk.note(findingText(path, finding))
        })
  const policy = { ...read.policy }
  if (requires !== undefined) policy.requires = requires
  if (maxAgeDays !== undefined) policy.max_age_days = maxAgeDays
  return { ...read, policy }
}

async function check(desk: Desk, packs: readonly string[], file: string, options: Options): Promise<void> {
  if (packs.length > 0) throw usage('--check reads a sign-off, and no packs', 'leave the packs out, or --check')
  const nowMs = Date.now()
  const { policy, sha256 } = await policyFor(desk, options, nowMs)
  const { predicate, problems, exitCode } = await readAndCheck({
    file,
    subject: options.subject ?? '',
    requires: sha256 === null ? (options.requires ?? []) : policy.requires,
    allowSimulated: options.allowSimulated ?? false,
    nowMs,
  })
  const lines = problems.map(({ code, text }) => `${plainText(text, 500)} [${code}]`)
  const { expiresOn } = predicate.capacityGateSignOff
  const text =
    lines.length > 0 ? `NOT SIGNED OFF\n${lines.join('\n')}` : `${signOffText(predicate)}\nholds, until ${expiresOn}`
  desk.finish({ exitCode, text, json: { problems, predicate } })
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value]
}

function requirements(text: string): Requirement[] {
  try {
    return requirementsOf(text)
  } catch (error) {
    throw error instanceof GateError ? new InvalidArgumentError(`${error.message}: ${error.hint}.`) : error
  }
}
