import type { CacheReset, Dialect, JsonPlace } from './dialect.ts'

/** An engine's answer to a control call, as it came. */
export interface ControlAnswer {
  status: number
  /** In lower case. */
  contentType: string
  text: string
}

/** What an answer tells, or why it tells nothing; `said` is the engine's own text, as hostile as it came. */
export type Reading<T> = { value: T } | { why: string; said: string }

/** A 2xx answer that is no web page. */
export function accepted(answer: ControlAnswer): Reading<string> {
  if (isHtml(answer)) return { why: `answers HTML (status ${answer.status}): is this the engine's port?`, said: '' }
  if (answer.status >= 200 && answer.status < 300) return { value: answer.text }
  return { why: `answers ${answer.status}`, said: answer.text }
}

/** Whether an answer is a web page: something other than an engine listens there, or a proxy stands before it. */
export function isHtml({ contentType, text }: ControlAnswer): boolean {
  return contentType.includes('html') || /^\s*<(?:!doctype|html|head|body)\b/i.test(text.slice(0, 1000))
}

export function acceptedJson(answer: ControlAnswer): Reading<unknown> {
  const told = accepted(answer)
  if ('why' in told) return told
  try {
    return { value: JSON.parse(told.value) as unknown }
  } catch {
    return { why: 'answers something that is no JSON', said: told.value }
  }
}

/** A value in a JSON document by names joined by dots; undefined where it is not there. */
export function valueAtField(document: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return isObject ? (value as Record<string, unknown>)[name] : undefined
  }, document)
}

/** Whether the engine is healthy by its own word: a 200 may hold the contrary. */
export function readHealth({ health }: Dialect, answer: ControlAnswer): Reading<true> {
  if (health.field === null) {
    const told = accepted(answer)
    return 'why' in told ? told : { value: true }
  }
  const told = acceptedJson(answer)
  if ('why' in told) return told
  const state = valueAtField(told.value, health.field)
  if (typeof state === 'string' && health.healthy.includes(state)) return { value: true }
  const said = typeof state === 'string' ? state : JSON.stringify(told.value)
  return { why: `answers ${answer.status} with another ${health.field} than ${health.healthy.join(' or ')}`, said }
}

/** The version that an answer tells at a place. */
export function readVersion(place: JsonPlace, answer: ControlAnswer): Reading<string> {
  const told = acceptedJson(answer)
  if ('why' in told) return told
  const version = valueAtField(told.value, place.field)
  return typeof version === 'string' && version !== ''
    ? { value: version }
    : { why: `told no ${place.field}`, said: '' }
}

export interface ModelCard {
  id: string
  ownedBy: string | null
  /** What the id stands for. */
  root: string | null
  maxModelLen: number | null
}

export function readModels(answer: ControlAnswer): Reading<readonly ModelCard[]> {
  const told = acceptedJson(answer)
  if ('why' in told) return told
  const data = valueAtField(told.value, 'data')
  if (!Array.isArray(data)) return { why: 'told no list of models', said: '' }
  const text = (card: unknown, name: string): string | null => {
    const value = valueAtField(card, name)
    return typeof value === 'string' ? value : null
  }
  return {
    value: data.flatMap((card): ModelCard[] => {
      const id = text(card, 'id')
      const length = valueAtField(card, 'max_model_len')
      const maxModelLen = Number.isSafeInteger(length) ? (length as number) : null
      return id === null ? [] : [{ id, ownedBy: text(card, 'owned_by'), root: text(card, 'root'), maxModelLen }]
    }),
  }
}

/** What an answer to a reset proves; `absent`: the engine has no such route. */
export interface ResetProof {
  state: 'done' | 'refused' | 'unknown' | 'absent'
  text: string
  /** The engine's own text, as hostile as it came. */
  said: string
}

/** A 200 alone proves nothing: engines answer it while they refuse. */
export function readReset({ reading }: CacheReset, path: string, answer: ControlAnswer): ResetProof {
  const { status } = answer
  if (status === 404 || status === 405) {
    return { state: 'absent', text: `the engine has no route ${path} (status ${status})`, said: '' }
  }
  if (reading.by === 'status') {
    if (reading.refused.includes(status)) return REFUSED
    const told = accepted(answer)
    if ('why' in told) return { state: 'refused', text: told.why, said: told.said }
    return reading.done.includes(status) ? DONE : { state: 'unknown', text: `the engine answers ${status}`, said: '' }
  }
  const told = accepted(answer)
  if ('why' in told) return { state: 'refused', text: told.why, said: told.said }
  if (reading.by === 'workers') return workersProof(reading, answer)
  if (told.value.trim() === '') {
    const text = 'the engine accepted the reset without saying whether it worked'
    return reading.emptyBody === 'done' ? DONE : { state: 'unknown', text, said: '' }
  }
  const body = acceptedJson(answer)
  const done = 'value' in body ? valueAtField(body.value, reading.field) : undefined
  if (done === true) return DONE
  if (done === false) return REFUSED
  return { state: 'unknown', text: `the engine's answer tells no ${reading.field}`, said: told.value }
}

const DONE: ResetProof = { state: 'done', text: 'reset', said: '' }
const REFUSED: ResetProof = { state: 'refused', text: 'the engine refused the reset: it still has requests', said: '' }

function workersProof(reading: { cleared: string; failed: string }, answer: ControlAnswer): ResetProof {
  const body = acceptedJson(answer)
  const lists = [reading.cleared, reading.failed].map((name) =>
    'value' in body ? valueAtField(body.value, name) : undefined,
  )
  const [cleared, failed = []] = lists
  if (!Array.isArray(cleared) || !Array.isArray(failed)) {
    return { state: 'refused', text: 'no worker was reached', said: answer.text }
  }
  const text = `${cleared.length} workers were cleared, ${failed.length} failed`
  if (cleared.length > 0 && failed.length === 0) return { state: 'done', text, said: '' }
  return { state: 'refused', text, said: answer.text }
}
