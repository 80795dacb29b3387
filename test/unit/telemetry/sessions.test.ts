import { describe, expect, it } from 'vitest'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { pacingEvidence } from '../../../src/core/telemetry/client-pacing.ts'
import { rowEvidence } from '../../../src/core/telemetry/client-rows.ts'
import type { PointView } from '../../../src/core/telemetry/point-view.ts'
import { sessionEvidence } from '../../../src/core/telemetry/session-evidence.ts'
import { testRows } from '../../contract/replay/shape.ts'
import { sessionCohort } from './session-cohort.ts'

function probe(view: PointView, name: string) {
  const evidence = [...rowEvidence(view), ...pacingEvidence(view), ...sessionEvidence(view)]
  return evidence.find((found) => found.probe === name)
}

const record = (view: PointView, id: string) => view.records.find((one) => one.id === id) as RequestRecord

describe('due times of sessions, from the files alone', () => {
  it('are the later of the schedule’s and the turn before’s end plus its think time', () => {
    const { view } = sessionCohort()
    expect(probe(view, 'client.ids')).toMatchObject({ state: 'pass' })
    expect(probe(view, 'client.rows')).toMatchObject({ state: 'pass' })
    expect(probe(view, 'client.offered_rate')).toMatchObject({ state: 'pass', value: 1 })
    expect(probe(view, 'client.send_lag')).toMatchObject({ state: 'pass', value: 0.1 })
  })

  it.each<[string, (view: PointView) => void]>([
    ['a turn put off for longer than its session made it', (view) => void (record(view, 'r-00005').dueUs += 1)],
    ['a turn sent before its session was ready', (view) => void (record(view, 'r-00005').dueUs -= 1)],
    ['a row of no session put off', (view) => void (record(view, 'r-00014').dueUs += 1)],
    ['another session', (view) => void (record(view, 'r-00005').session = 'small-00009')],
    ['another turn', (view) => void (record(view, 'r-00005').turn = 2)],
    [
      'a turn without the one before',
      (view) => void (view.records as RequestRecord[]).splice(view.records.indexOf(record(view, 'r-00001')), 1),
    ],
    ['a cancellation that was not planned', (view) => void (record(view, 'r-00002').status = 'cancelled')],
  ])('find %s', (_, change) => {
    const { view } = sessionCohort()
    change(view)
    expect(probe(view, 'client.rows')).toMatchObject({ state: 'fail', blames: 'client' })
  })

  it('say which turns belong to a cohort that was cut', () => {
    const { view } = sessionCohort({ lastsUs: 30_000 })
    const cutUs = 70_000
    view.facts = { ...view.facts, maximumReached: true, arrivalUs: cutUs }
    const late = view.records.filter(({ dueUs }) => dueUs > cutUs)
    expect(late.length).toBeGreaterThan(1)
    view.records = view.records.filter(({ dueUs }) => dueUs <= cutUs)
    expect(probe(view, 'client.ids')).toMatchObject({ state: 'pass' })
    const [lost, ...rest] = view.records
    view.records = rest
    expect(probe(view, 'client.ids')).toMatchObject({ state: 'fail', text: expect.stringContaining(lost?.id ?? '?') })
  })

  it('allow a stop between two rows of one time, and a missing row before it never', () => {
    const { view, rows } = sessionCohort({
      rows: testRows(9).map((row, index) => ({ ...row, offsetUs: index < 4 ? 0 : 9_000_000 })),
    })
    const stopped = (ids: readonly string[]) => {
      const records = view.records.filter(({ id }) => ids.includes(id))
      const facts = { ...view.facts, stoppedEarly: 'hopeless', arrivalUs: records.at(-1)?.dueUs ?? 0 }
      return probe({ ...view, facts, records }, 'client.ids')
    }
    const ids = rows.map(({ id }) => id)
    expect(stopped(ids.slice(0, 6))).toMatchObject({ state: 'pass', text: 'all 6 scheduled requests are there once' })
    expect(stopped(ids.slice(1, 6))).toMatchObject({ state: 'fail', text: 'r-00001 is missing' })
  })

  it('are held to the sessions alone in a closed loop', () => {
    const { view } = sessionCohort()
    view.facts = { ...view.facts, key: { ...view.facts.key, load: { closedConcurrency: 3 } } }
    for (const one of view.records) one.dueUs += one.session === null ? 7 : 0
    expect(probe(view, 'client.rows')).toMatchObject({ state: 'pass' })
    record(view, 'r-00005').dueUs -= 1
    expect(probe(view, 'client.rows')).toMatchObject({ state: 'fail' })
  })
})

describe('client.sessions', () => {
  it('says how many turns were put off, and by how much', () => {
    const { view, rows } = sessionCohort()
    const evidence = probe(view, 'client.sessions')
    expect(evidence).toMatchObject({ state: 'pass', required: false, value: 8 })
    expect(evidence?.text).toBe(
      '4 sessions: 8 of 8 later turns were put off by their sessions, by 0.00 s in the median and 0.00 s at most',
    )
    const slow = sessionCohort({ rows, lastsUs: 3_000_000 })
    expect(probe(slow.view, 'client.sessions')?.text).toContain('by 2.98 s in the median and 5.96 s at most')
    const fast = sessionCohort({ rows, lastsUs: 1000 })
    expect(probe(fast.view, 'client.sessions')).toMatchObject({ value: 0 })
  })

  it('is silent where there are no sessions', () => {
    expect(probe(sessionCohort({ rows: testRows(5) }).view, 'client.sessions')).toBeUndefined()
  })
})

describe('client.replicas under a sticky policy', () => {
  const routed = (policy: string) => {
    const deploy = { kind: 'endpoint', urls: ['http://127.0.0.1:1'], router: { kind: 'client', policy } }
    return sessionCohort({ shape: { engine: { deploy } } }).view
  }

  it('holds every request of a session to its replica', () => {
    const view = routed('session')
    expect(probe(view, 'client.replicas')).toMatchObject({ state: 'pass' })
    record(view, 'r-00005').replica = 1
    expect(probe(view, 'client.replicas')).toMatchObject({ state: 'fail', value: 1, limit: 0 })
  })

  it('holds those of no session to equal shares', () => {
    const view = routed('session')
    for (const one of view.records) if (one.session === null) one.replica = 0
    expect(probe(view, 'client.replicas')).toMatchObject({ state: 'pass', value: 0 })
    const many = sessionCohort({
      rows: testRows(40),
      shape: {
        engine: { deploy: { kind: 'endpoint', urls: ['http://h:1'], router: { kind: 'client', policy: 'session' } } },
      },
    }).view
    expect(probe(many, 'client.replicas')).toMatchObject({ state: 'pass', value: 20 })
    for (const one of many.records) one.replica = 0
    expect(probe(many, 'client.replicas')).toMatchObject({ state: 'fail', value: 0 })
  })

  it('binds nobody where the policy is to take turns', () => {
    const view = sessionCohort().view
    record(view, 'r-00005').replica = 1
    expect(probe(view, 'client.replicas')).toMatchObject({ state: 'pass' })
  })
})
