import { dirname, isAbsolute, relative } from 'node:path'
import { Option } from 'commander'
import type { Command } from 'commander'
import { projectFolder } from '../../adapters/system/project-folder.ts'
import { openTrace } from '../../adapters/system/trace-input.ts'
import { init } from '../../app/init.ts'
import type { InitOrder, InitResult } from '../../app/init.ts'
import { profileTrace } from '../../app/profile.ts'
import { ENGINE_CHOICES } from '../../core/init/answers.ts'
import { isOwner } from '../../core/init/owners.ts'
import { refusedAnswer } from '../../core/init/refusal.ts'
import { starter } from '../../core/init/starter.ts'
import type { TraceAnswer } from '../../core/init/traffic.ts'
import { isPinnedAction, isPlainPath, workflowText } from '../../core/init/workflow-text.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { quoted } from '../../core/record/refusal.ts'
import { TRACE_FORMATS } from '../../core/schedule/trace/trace-row.ts'
import type { TraceFormat } from '../../core/schedule/trace/trace-row.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example, wholeNumber } from '../command.ts'
import { demoFiles } from '../demo-files.ts'
import { requireRoot } from '../init-place.ts'
import type { AskedAnswers } from '../init-questions.ts'
import { asCommand, askMissing } from '../init-questions.ts'
import { findingText } from './lint.ts'

interface Options extends Omit<AskedAnswers, 'words'> {
  traceFormat?: TraceFormat
  replayTrace?: true
  classes: number
  out: string
  workflow: string | false
  action?: string
  force?: true
  yes?: true
}

const WORKFLOW = '.github/workflows/capacity-gate.yml'

export const addInit: AddCommand = (program, desk) => {
  const command = program
    .command('init')
    .description(
      'Write the first manifest, a workflow and CODEOWNERS lines; at a terminal it asks for what no flag says.',
    )
    .argument(
      '[words...]',
      'after --: the program that serves, with its arguments; with --image, the engine’s arguments',
    )
  for (const options of [engineOptions, trafficOptions, fileOptions]) options(command)
  command
    .addHelpText(
      'after',
      example(
        'capacity-gate init',
        'capacity-gate init --engine fixture',
        'capacity-gate init --engine vllm --engine-version 0.32.0 --image vllm/vllm-openai@sha256:DIGEST \\',
        '  --model acme/dense-8b --model-revision COMMIT --from-trace trace.jsonl --owner @acme/inference -- --max-num-seqs 256',
      ),
    )
    .action((words: string[], options: Options) => initCommand(desk, words, options))
}

function engineOptions(command: Command): void {
  command
    .option('--engine <name>', `${ENGINE_CHOICES.join(', ')}; or fixture, which needs no other answer`)
    .option('--engine-version <v>', 'its exact version, as it tells it itself')
    .option('--image <name@digest>', 'its image, by digest')
    .option('--endpoint <urls...>', 'or: where it is up, an origin for each replica')
    .option('--weights <folder>', 'with --image: the folder of the staged weights (/data/hf)')
    .option('--model <id>', 'a hub id or a local folder')
    .option('--model-revision <commit>', 'its commit, or sha256:… of the local files')
    .option('--tokenizer-revision <commit>', 'the same of its tokenizer; by default the model’s')
    .option('--precision <type>', 'bf16, fp8 …')
    .option('--max-model-len <tokens>', 'its longest context; by default as long as the classes need')
    .option('--prompt-token-ids <from,to>', 'the token ids that prompts are drawn from (1000,30000)')
    .option('--gpu <kind>', 'its GPUs, as the runner’s label says it (h100); none')
    .option('--tp <n>', 'GPUs of a replica, tensor parallel (1)')
    .option('--pp <n>', 'the same, pipeline parallel (1)')
    .option('--replicas <n>', 'how many replicas (1)')
}

function trafficOptions(command: Command): void {
  command
    .option('--from-trace <file>', 'fit classes, arrivals, rates and reuse to a trace; else three usual classes')
    .addOption(
      new Option('--trace-format <format>', 'its format, where the first line does not tell').choices(TRACE_FORMATS),
    )
    .option('--replay-trace', 'send the trace’s own requests, not classes drawn from a seed')
    .option('--classes <n>', 'the most classes to take from it', wholeNumber, 3)
    .option('--rates <list>', 'requests a second to measure at, e.g. 8,10,12,14; auto')
}

function fileOptions(command: Command): void {
  command
    .option('--gate-id <id>', 'what baselines and comments are kept under')
    .option('--out <file>', 'the manifest', 'workload-manifest.yaml')
    .option('--workflow <file>', 'the workflow', WORKFLOW)
    .option('--no-workflow', 'write no workflow')
    .option('--action <owner/name@commit>', 'the action that the workflow uses')
    .option('--owner <owner>', 'whose review guards the manifest: @org/team; without it the lines are only shown')
    .option('--force', 'replace files that are there; CODEOWNERS is only ever added to')
    .option('--yes', 'ask nothing')
}

async function initCommand(desk: Desk, words: string[], options: Options): Promise<void> {
  requireForms(options)
  const given = givenOf(words, options)
  // Before anything is asked, and again with whom was answered to own it.
  if (given.engine !== 'fixture') await requireRoot(desk.inputs.cwd, options)
  const answers = await answered(desk, given, options.yes === true)
  const folder = projectFolder(desk.inputs.cwd)
  const force = options.force === true
  if (answers.engine === 'fixture') {
    const files = (await demoFiles()).map(({ name, text }) => ({
      path: name === 'workload-manifest.yaml' ? options.out : name,
      text,
    }))
    const result = await init(folder, { files, owners: null, force })
    return finish(desk, result, [], fixtureCommands(options.out))
  }
  await requireRoot(desk.inputs.cwd, { ...options, ...(answers.owner === undefined ? {} : { owner: answers.owner }) })
  const trace = answers.fromTrace === undefined ? null : await traceOf(answers.fromTrace, options)
  const { text, warnings, answers: settled } = starter(answers, trace)
  const { out, workflow, action = null } = options
  const order: InitOrder = {
    files: [
      { path: out, text },
      ...(workflow === false
        ? []
        : [{ path: workflow, text: workflowText({ manifestPath: out, gpu: settled.gpu, action }) }]),
    ],
    owners: { manifestPath: out, owner: answers.owner ?? null },
    force,
  }
  const result = await init(folder, order)
  const placeholder =
    workflow !== false && action === null ? [`EDIT your-org/capacity-gate@… in ${workflow}: ${PLACE}`] : []
  finish(desk, result, [...warnings.map((warning) => findingText(out, warning)), ...placeholder], nextCommands(out))
}

const PLACE = 'the place of this action and the commit that you reviewed'

/** Asks where somebody can answer. */
async function answered({ inputs, note }: Desk, given: AskedAnswers, yes: boolean): Promise<AskedAnswers> {
  if (yes || inputs.questions === undefined) return given
  using questions = inputs.questions()
  const answers = await askMissing(given, questions)
  note(`the same without questions:\n  ${asCommand(answers)}`)
  return answers
}

/** Only what was really said: a default is no answer. */
function givenOf(words: readonly string[], options: Options): AskedAnswers {
  const {
    traceFormat: _1,
    replayTrace: _2,
    classes: _3,
    out: _4,
    workflow: _5,
    action: _6,
    force: _7,
    yes: _8,
    ...said
  } = options
  return { ...said, ...(words.length === 0 ? {} : { words }) }
}

function requireForms({ out, workflow, action, owner, fromTrace, replayTrace, traceFormat }: Options): void {
  for (const [flag, path] of [
    ['--out', out],
    ['--workflow', workflow],
  ] as const) {
    if (path === false || isPlainPath(path)) continue
    throw refusedAnswer(
      `${flag}: ${quoted(path)} is no path in this folder`,
      'give one of letters, digits, _, - and ., below this folder',
    )
  }
  if (action !== undefined && !isPinnedAction(action)) {
    throw refusedAnswer(`--action: ${quoted(action)} is not OWNER/NAME@COMMIT`, 'name its commit by 40 hex digits')
  }
  if (owner !== undefined && !isOwner(owner)) {
    throw refusedAnswer(
      `--owner: ${quoted(owner)} is no user, team or address`,
      'give it as CODEOWNERS takes it: @org/team',
    )
  }
  if (fromTrace !== undefined || (replayTrace === undefined && traceFormat === undefined)) return
  throw refusedAnswer(
    '--replay-trace and --trace-format are about a trace, and none is given',
    'name it by --from-trace',
  )
}

async function traceOf(file: string, { traceFormat, replayTrace, classes, out }: Options): Promise<TraceAnswer> {
  const isReplayed = replayTrace === true
  if (isReplayed && (isAbsolute(file) || file.split(/[\\/]/).includes('..'))) {
    throw refusedAnswer(
      `--replay-trace: ${quoted(file)} lies outside of this folder`,
      'copy it in: a run reads it beside the manifest',
    )
  }
  const input = openTrace(file)
  const profile = await profileTrace({ file, format: traceFormat ?? null }, input.chunks, classes)
  const beside = isReplayed ? relative(dirname(out), file) : file
  return { profile, file: beside, sha256: input.sha256(), isReplayed }
}

function nextCommands(out: string): string[] {
  return [`capacity-gate lint ${out} --deployable`, `capacity-gate estimate ${out}`, `capacity-gate doctor ${out}`]
}

function fixtureCommands(out: string): string[] {
  return [
    `capacity-gate run ${out} --plan sweep --pack accepted --on-missing-baseline record`,
    'capacity-gate promote --candidate accepted/capacity.json --to dir:capacity-baselines --reason "the first baseline"',
    `capacity-gate run ${out} --baseline dir:capacity-baselines --pack pack`,
  ]
}

function finish(desk: Desk, result: InitResult, notes: readonly string[], next: readonly string[]): void {
  const { files, ownerLines, ownersWritten } = result
  const owners = ownersWritten || ownerLines.length === 0 ? [] : ['for CODEOWNERS, with your own team:', ...ownerLines]
  desk.finish({
    exitCode: EXIT.ok,
    text: [
      ...files.map(({ path, done }) => `${done}: ${path}`),
      ...notes,
      ...owners.map((line, index) => (index === 0 ? line : `  ${line}`)),
      'next:',
      ...next.map((command) => `  ${command}`),
    ].join('\n'),
    json: { files, ownerLines, ownersWritten, notes, next },
  })
}
