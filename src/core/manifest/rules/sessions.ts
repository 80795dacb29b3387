import { showNumber, showValue, type Breach } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import type { Rule, RuleInput } from './rule.ts'
import { rates } from './sweep.ts'
import { slowestAdmissibleMs } from './timing.ts'
import { namedClasses } from './workload.ts'

function sessionsOf(input: RuleInput) {
  return namedClasses(input).flatMap(({ session, ...shape }) => (session === undefined ? [] : [{ ...shape, session }]))
}

function liveWithoutIds(input: RuleInput): Breach[] {
  const { prompt, endpoint } = input.draft.client ?? {}
  const { dialect } = input
  return sessionsOf(input).flatMap(({ name, session, index }): Breach[] => {
    if (session.history !== 'live') return []
    const path = ['workload', index, 'session', 'history']
    if (prompt === 'text' || endpoint === 'chat') {
      const message = `the class ${showValue(name)} has a live history, but its prompts are text`
      return [{ path, message }]
    }
    if (dialect.request.returnTokenIds !== null) return []
    return [
      { path, message: `a live history needs the answers' token ids, which the dialect ${dialect.id} cannot ask for` },
    ]
  })
}

function neverContinued(input: RuleInput): Breach[] {
  const counts = input.draft.client?.class_schedule_counts
  return sessionsOf(input).flatMap(({ name, session, index }): Breach[] => {
    const requests = counts !== undefined && Object.hasOwn(counts, name) ? counts[name] : undefined
    const concurrent = session.concurrent
    if (requests === undefined || concurrent === undefined || requests > concurrent) return []
    const message = `the class ${showValue(name)} has ${showNumber(requests)} requests and ${showNumber(concurrent)} sessions at a time: none comes to its second turn`
    return [{ path: ['workload', index, 'session', 'concurrent'], message }]
  })
}

/**
 * Of each class with sessions the mean time from one arrival of a session to its next one, at the sweep's highest rate, and the shortest
 * and the longest that a turn with its pause may take: its think time alone, and with an answer that just meets its cutoffs.
 */
function turnTimes(input: RuleInput) {
  const declared = rates(input)
  const rate = Math.max(...declared)
  return sessionsOf(input).flatMap((shape) => {
    const { name, index, mix, session } = shape
    const { concurrent, think_seconds: think } = session
    if (mix === undefined || concurrent === undefined || think === undefined || declared.length === 0) return []
    const slowestMs = slowestAdmissibleMs(shape)
    const gap = concurrent / Number((rate * mix).toPrecision(12))
    const least = (seconds: number): string =>
      `Raise concurrent to ${showNumber(Math.ceil(rate * mix * seconds))} or more, or lower think_seconds or the rates.`
    const path = ['workload', index, 'session', 'concurrent']
    const next = `at ${showNumber(rate)} RPS a session of the class ${showValue(name)} has its next turn after ${gap.toPrecision(3)} s`
    return [{ path, next, gap, think, longest: slowestMs === null ? null : think + slowestMs / 1000, least }]
  })
}

function thinkTooLong(input: RuleInput): Breach[] {
  return turnTimes(input).flatMap(({ path, next, gap, think, least }): Breach[] => {
    if (gap >= think) return []
    return [{ path, message: `${next}, when its think time of ${showNumber(think)} s is not over`, hint: least(think) }]
  })
}

function answerTooLong(input: RuleInput): Breach[] {
  return turnTimes(input).flatMap(({ path, next, gap, think, longest, least }): Breach[] => {
    if (longest === null || gap >= longest || gap < think) return []
    const message = `${next}; a turn that just meets its cutoffs takes ${longest.toPrecision(3)} s with its think time`
    return [{ path, message, hint: least(longest) }]
  })
}

function nothingToHold(input: RuleInput): Breach[] {
  const { raw, draft } = input
  const hasSessions = sessionsOf(input).length > 0
  const policy = valueAt(raw, ['engine', 'deploy', 'router', 'policy'])
  const breaches: Breach[] = []
  const path = ['engine', 'deploy', 'router', 'policy']
  if (policy === 'session' && !hasSessions) {
    breaches.push({ path, message: 'the router holds sessions together, but no class has any' })
  }
  if (policy === 'prefix' && draft.cache?.warm === undefined) {
    breaches.push({ path, message: 'the router holds shared prefixes together, but `cache.warm` declares none' })
  }
  if (draft.client?.session_header !== undefined && !hasSessions) {
    const message = '`client.session_header` names a header for sessions, but no class has any'
    breaches.push({ path: ['client', 'session_header'], message })
  }
  return breaches
}

export const SESSION_RULES: readonly Rule[] = [
  {
    id: 'live-history-without-ids',
    title: 'A live history cannot be told',
    level: 'valid',
    severity: 'error',
    why: 'A live history goes on with the very tokens that the engine answered. They are known only by their ids, and only a prompt of ids can repeat them.',
    mend: 'Use endpoint completions and prompt token_ids with an engine that returns token ids, or history: synthetic.',
    check: liveWithoutIds,
  },
  {
    id: 'session-never-continued',
    title: 'No session comes to its second turn',
    level: 'valid',
    severity: 'warning',
    why: "A session's next turn comes `concurrent` of the class's arrivals later.",
    mend: 'Lower session.concurrent well below the class’s requests, or schedule more of them.',
    check: neverContinued,
  },
  {
    id: 'session-think-too-long',
    title: 'Sessions think for longer than they have time',
    level: 'valid',
    severity: 'error',
    why: 'A turn waits until its user has thought. Where the next one is due before, turns pile up at the client, however fast the engine: the rate is not offered, and a point that passes says nothing of it.',
    mend: 'Raise session.concurrent, or lower session.think_seconds or the rates.',
    check: thinkTooLong,
  },
  {
    id: 'session-answer-too-long',
    title: 'Sessions wait for answers that are fast enough',
    level: 'valid',
    severity: 'warning',
    why: 'A turn waits for the answer before it. Where an answer within its cutoffs ends after the next turn is due, sessions hold the load down, and such a point fails (queue.sessions).',
    mend: 'Raise session.concurrent, or lower session.think_seconds or the rates.',
    check: answerTooLong,
  },
  {
    id: 'nothing-to-hold-together',
    title: 'Routing holds together what the workload does not have',
    level: 'valid',
    severity: 'warning',
    why: 'It has no effect: each request goes to the next replica, as with round_robin.',
    mend: 'Give a class a session (or declare cache.warm, for prefixes), or remove the setting.',
    check: nothingToHold,
  },
]
