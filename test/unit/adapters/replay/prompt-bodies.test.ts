import { expect, it } from 'vitest'
import { BodyQueue } from '../../../../src/adapters/replay/body-queue.ts'
import { PromptBodies } from '../../../../src/adapters/replay/prompt-bodies.ts'
import { testRows } from '../../../contract/replay/shape.ts'

const KNOWN = 4

/** Bodies of six rows; of row 4 on they need the turn before. What was built, in order. */
function staged(bytes = 1) {
  const rows = testRows(6)
  const built: string[] = []
  const build = (row: (typeof rows)[number]) => {
    built.push(row.id)
    return Buffer.alloc(bytes, row.id.at(-1))
  }
  const isOpen = (row: (typeof rows)[number]) => Number(row.id.slice(2)) > KNOWN
  const queue = new BodyQueue({
    rows,
    build: (row) => (isOpen(row) ? Buffer.alloc(0) : build(row)),
    isNear: () => true,
    nowUs: () => 0,
  })
  return { bodies: new PromptBodies({ rows, queue, build, isOpen }), built }
}

const text = (body: Buffer) => body.toString('latin1')

it('keeps the body of a row that is passed over until its time comes', () => {
  const { bodies, built } = staged()
  while (bodies.slice());
  bodies.setAside(0)
  expect(text(bodies.take(1))).toBe('2')
  expect(text(bodies.take(0))).toBe('1')
  expect(built).toEqual(['r-00001', 'r-00002', 'r-00003', 'r-00004'])
  expect(bodies.late).toBe(0)
})

it('makes a body that needs the turn before once it is wanted, ahead of its time', () => {
  const { bodies, built } = staged()
  while (bodies.slice());
  bodies.setAside(4)
  expect(built).not.toContain('r-00005')
  bodies.want(4)
  bodies.want(5)
  while (bodies.slice());
  expect(built.slice(-2)).toEqual(['r-00005', 'r-00006'])
  expect(text(bodies.take(5))).toBe('6')
  expect(text(bodies.take(4))).toBe('5')
  expect(built).toHaveLength(6)
  expect(bodies.late).toBe(0)
})

it('makes it on the spot where there was no time, and says so', () => {
  const { bodies } = staged()
  while (bodies.slice());
  expect(text(bodies.take(4))).toBe('5')
  expect(bodies.late).toBe(1)
})

it('keeps no more than its share of memory, and makes the rest again', () => {
  const { bodies, built } = staged(40 * 1024 * 1024)
  for (const index of [0, 1, 2]) bodies.setAside(index)
  expect(built).toEqual(['r-00001', 'r-00002'])
  bodies.take(0)
  expect(bodies.take(2)[0]).toBe('3'.charCodeAt(0))
  expect(built).toEqual(['r-00001', 'r-00002', 'r-00003'])
})
