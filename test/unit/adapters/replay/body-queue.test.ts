import { describe, expect, it } from 'vitest'
import { BodyQueue } from '../../../../src/adapters/replay/body-queue.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows } from '../../../contract/replay/shape.ts'

function queueOf(options: { near?: number; bytes?: number; failing?: string } = {}) {
  const built: string[] = []
  const rows = testRows(10)
  const queue = new BodyQueue({
    rows,
    build(row: ScheduleRow) {
      built.push(row.id)
      if (row.id === options.failing) throw new Error('too short')
      return Buffer.alloc(options.bytes ?? 10)
    },
    isNear: (index) => index < (options.near ?? rows.length),
    nowUs: () => 0,
  })
  return { queue, built, rows }
}

describe('BodyQueue', () => {
  it('builds one body a slice, in the order of dispatch, each once', () => {
    const { queue, built } = queueOf()
    expect([queue.slice(), queue.slice()]).toEqual([true, true])
    expect(built).toEqual(['r-00001', 'r-00002'])
    queue.take(0)
    queue.take(1)
    queue.take(2)
    expect(built).toEqual(['r-00001', 'r-00002', 'r-00003'])
    expect(queue.late).toBe(1)
    queue.slice()
    expect(built.at(-1)).toBe('r-00004')
  })

  it('looks no further ahead than is near', () => {
    const { queue, built } = queueOf({ near: 3 })
    while (queue.slice());
    expect(built).toHaveLength(3)
  })

  it('holds no more than 32 MiB, and goes on when bodies were taken', () => {
    const { queue, built } = queueOf({ bytes: 16 * 1024 * 1024 })
    while (queue.slice());
    expect(built).toHaveLength(2)
    queue.take(0)
    while (queue.slice());
    expect(built).toHaveLength(3)
  })

  it('forgets the bodies of rows that are skipped', () => {
    const { queue, built } = queueOf({ bytes: 16 * 1024 * 1024 })
    while (queue.slice());
    queue.take(6)
    expect(built.at(-1)).toBe('r-00007')
    while (queue.slice());
    expect(built.slice(-2)).toEqual(['r-00008', 'r-00009'])
  })

  it('throws what makes a body impossible where it is needed, not before', () => {
    const { queue } = queueOf({ failing: 'r-00002' })
    while (queue.slice());
    queue.take(0)
    expect(() => queue.take(1)).toThrow('too short')
    expect(queue.take(2)).toHaveLength(10)
    expect(queue.late).toBe(0)
  })

  it('expects a slice to last as long as the last ones', () => {
    let nowUs = 0
    const lasts = [4000, 100, 100]
    const queue = new BodyQueue({
      rows: testRows(3),
      build() {
        nowUs += lasts.shift() ?? 0
        return Buffer.alloc(1)
      },
      isNear: () => true,
      nowUs: () => nowUs,
    })
    const seen = [queue.sliceUs]
    while (queue.slice()) seen.push(queue.sliceUs)
    expect(seen).toEqual([500, 4000, 3600, 3240])
  })
})
