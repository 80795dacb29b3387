import { openTrace } from '../adapters/system/trace-input.ts'
import type { Questions } from '../app/ports/questions.ts'
import { DEFAULTS, ENGINE_CHOICES, flagOf } from '../core/init/answers.ts'
import type { GivenAnswers } from '../core/init/answers.ts'
import { isOwner } from '../core/init/owners.ts'
import { refusalOf } from '../core/init/starter.ts'

/** What is asked: the manifest's answers, and what stands beside them. */
export interface AskedAnswers extends GivenAnswers {
  fromTrace?: string
  owner?: string
}

const NONE = 'none'
const AS_NEEDED = 'as the classes need'

type AskedText = 'engineVersion' | 'model' | 'modelRevision' | 'gpu' | 'tp' | 'replicas'

/** Asks for what was not given by a flag, one question after the other. An engine `fixture` ends it: it has a manifest of its own. */
export async function askMissing(given: AskedAnswers, questions: Questions): Promise<AskedAnswers> {
  const answers: AskedAnswers = { ...given }
  const ask = async (name: AskedText, text: string, usual: string | null): Promise<void> => {
    if (answers[name] !== undefined) return
    const refusal = (answer: string) => refusalOf({ ...engineOf(answers), [name]: answer })
    answers[name] = await questions.ask({ text, usual, refusal })
  }
  answers.engine ??= await questions.ask({
    text: `Engine: ${ENGINE_CHOICES.join(', ')}, or fixture to try the gate without one`,
    usual: 'vllm',
    refusal: (engine) => (engine === 'fixture' ? null : refusalOf({ engine })),
  })
  if (answers.engine === 'fixture') return answers
  await askDeploy(answers, questions)
  await ask('engineVersion', 'Its exact version, as it tells it itself', null)
  await ask('model', 'Model: its id on the hub, or a local folder', null)
  await ask('modelRevision', 'Its commit (40 hex digits), or sha256:… of the local files', null)
  await ask('gpu', `Kind of GPU, or ${NONE}`, DEFAULTS.gpu)
  await ask('tp', 'GPUs of a replica (tensor parallel)', DEFAULTS.count)
  if (answers.endpoint === undefined) await ask('replicas', 'Replicas', DEFAULTS.count)
  await askTraffic(answers, questions)
  return answers
}

function engineOf({ engine }: AskedAnswers): GivenAnswers {
  return engine === undefined ? {} : { engine }
}

async function askDeploy(answers: AskedAnswers, questions: Questions): Promise<void> {
  if (answers.image !== undefined || answers.endpoint !== undefined || (answers.words ?? []).length > 0) return
  const answer = await questions.ask({
    text: 'Its image (NAME@sha256:…), the URL of one that is up, or the program that serves with its arguments',
    usual: null,
    refusal: (text) => refusalOf({ ...engineOf(answers), ...deployAnswer(text) }),
  })
  Object.assign(answers, deployAnswer(answer))
}

/** One word with a digest is an image, URLs are servers that are up, anything else a program. */
export function deployAnswer(text: string): Pick<GivenAnswers, 'image' | 'endpoint' | 'words'> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.every((word) => /^https?:\/\//i.test(word))) return { endpoint: words }
  const [first = ''] = words
  return /^[^/\s]\S*[:@]/.test(first) && !first.startsWith('.') ? { image: first, words: words.slice(1) } : { words }
}

async function askTraffic(answers: AskedAnswers, questions: Questions): Promise<void> {
  if (answers.fromTrace === undefined) {
    const trace = await questions.ask({
      text: `A trace of your requests (a file), or ${NONE}: three usual classes`,
      usual: NONE,
      refusal: (file) => (file === NONE ? null : unreadable(file)),
    })
    if (trace !== NONE) answers.fromTrace = trace
  }
  if (answers.maxModelLen === undefined) {
    const longest = await questions.ask({
      text: 'Longest context of the model, in tokens',
      usual: AS_NEEDED,
      refusal: (text) => (text === AS_NEEDED ? null : refusalOf({ ...engineOf(answers), maxModelLen: text })),
    })
    if (longest !== AS_NEEDED) answers.maxModelLen = longest
  }
  if (answers.owner !== undefined) return
  const owner = await questions.ask({
    text: `Who reviews changes of the gate (@org/team), or ${NONE}`,
    usual: NONE,
    refusal: (text) =>
      text === NONE || isOwner(text) ? null : 'that is no user, team or address, as CODEOWNERS takes them',
  })
  if (owner !== NONE) answers.owner = owner
}

/** Why a file cannot even be opened; what stands in it is told once it is read. */
async function unreadable(file: string): Promise<string | null> {
  try {
    for await (const _ of openTrace(file).chunks) return null
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The same answers as a command line, to be repeated and changed. */
export function asCommand({ words = [], ...answers }: AskedAnswers): string {
  const flags = Object.entries(answers).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => (text === undefined ? [] : [flagOf(name), shellWord(text)])),
  )
  const rest = words.length === 0 ? [] : ['--', ...words.map(shellWord)]
  return ['capacity-gate init --yes', ...flags, ...rest].join(' ')
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
