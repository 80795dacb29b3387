import { describe, expect, it } from 'vitest'
import { judgePointEvidence, steadySessions } from './steady-sessions.ts'

const MINUTES = 12_000

describe('the rate that sessions let through', () => {
  it('is the offered one where answers end in time', () => {
    const found = judgePointEvidence(
      steadySessions({ rows: MINUTES, concurrent: 40, thinkUs: 50_000, lastsUs: 100_000 }),
    )
    expect(found['client.think_time']).toMatchObject({ state: 'pass', value: 1, limit: 0.99 })
    expect(found['queue.sessions']).toMatchObject({ state: 'pass', blames: 'engine', required: true, unit: 'share' })
    expect(found['client.offered_rate']).toMatchObject({ state: 'pass', value: 1 })
  })

  it('is less where the engine’s answers end too late: its fault, whatever became of the requests', () => {
    const found = judgePointEvidence(steadySessions({ rows: MINUTES, concurrent: 40, thinkUs: 0, lastsUs: 1_500_000 }))
    expect(found['client.think_time']).toMatchObject({ state: 'pass', value: 1 })
    expect(found['queue.sessions']).toMatchObject({ state: 'fail', blames: 'engine' })
    expect(found['queue.sessions']?.text).toMatch(/^11\d{3} of 12000 requests fell due in the schedule’s own time/)
    // Each was sent when its session was ready for it: the client kept its times.
    expect(found['client.offered_rate']).toMatchObject({ state: 'pass', value: 1 })
    expect(found['client.rows']).toMatchObject({ state: 'pass' })
  })

  it('is less where the think times alone take longer: nobody could be offered it', () => {
    const found = judgePointEvidence(steadySessions({ rows: MINUTES, concurrent: 40, thinkUs: 900_000, lastsUs: 0 }))
    expect(found['client.think_time']).toMatchObject({ state: 'fail', blames: 'client' })
    expect(found['queue.sessions']).toMatchObject({ state: 'fail' })
  })

  it('is not told from the last few answers of a short cohort', () => {
    const short = (lastsUs: number) =>
      judgePointEvidence(steadySessions({ rows: 100, concurrent: 8, thinkUs: 0, lastsUs }))['queue.sessions']
    expect(short(45_000)).toMatchObject({ state: 'pass', value: 0.98 })
    expect(short(200_000)).toMatchObject({ state: 'fail' })
  })

  it('is held to the window that was open where the maximum duration cut the arrivals', () => {
    const cut = steadySessions({ rows: MINUTES, concurrent: 40, thinkUs: 0, lastsUs: 100_000 })
    const arrivalUs = 20_000_000
    cut.records = cut.records.filter(({ dueUs }) => dueUs <= arrivalUs)
    cut.facts = { ...cut.facts, maximumReached: true, arrivalUs }
    expect(judgePointEvidence(cut)['queue.sessions']).toMatchObject({ state: 'pass', value: 1 })
  })

  it('is not asked for in a closed loop, of a point stopped early, and without sessions', () => {
    const parts = { rows: 100, concurrent: 8, thinkUs: 0, lastsUs: 200_000 }
    const closed = steadySessions(parts)
    closed.facts = { ...closed.facts, key: { ...closed.facts.key, load: { closedConcurrency: 4 } } }
    const stopped = steadySessions(parts)
    stopped.facts = { ...stopped.facts, stoppedEarly: 'hopeless' }
    for (const view of [closed, stopped, steadySessions({ ...parts, concurrent: 0 })]) {
      expect(judgePointEvidence(view)).not.toHaveProperty('queue.sessions')
    }
  })
})
