import { showNumber, showValue, type Breach } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import type { Rule, RuleInput } from './rule.ts'
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
    id: 'nothing-to-hold-together',
    title: 'Routing holds together what the workload does not have',
    level: 'valid',
    severity: 'warning',
    why: 'It has no effect: each request goes to the next replica, as with round_robin.',
    mend: 'Give a class a session (or declare cache.warm, for prefixes), or remove the setting.',
    check: nothingToHold,
  },
]
