/** Numbers from a seed: the same ones on every machine (mulberry32). */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to `below` − 1. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }

  of<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('nothing to draw from')
    return value
  }
}

const pieces = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\u{feff}',
  ':',
  'data:',
  'data: [DONE]\n\n',
  'data: null\n\n',
  '\n\nevent: error\n: gone\n\n',
  '\n\nerror: {"code":503}\n\n',
  '\n\nevent: note\ndata: 5\n\n',
  ': ping\n\n',
  '{',
  '}',
  '"',
  '\\u0000',
  '\\ud800',
  '🦀',
  ',"error":{"code":429,"message":"busy"}',
  '"choices":[]',
  '"choices":[{"index":1023,"text":"x"}]',
  '"finish_reason":"abort"',
  '"index":1024',
  '"index":-1',
  '"token_ids":[1,2,"x",null,1e99]',
  '"usage":{"completion_tokens":1e308}',
  '"completion_tokens":3,',
  '"__proto__":{"error":1},',
].map((text) => Buffer.from(text))

type Mutation = (body: Buffer, draw: Draw, another: Buffer) => Buffer

const put = (body: Buffer, at: number, piece: Buffer): Buffer =>
  Buffer.concat([body.subarray(0, at), piece, body.subarray(at)])

/** Where an event begins. */
const boundary = (body: Buffer, draw: Draw): number => body.indexOf('\n\n', draw.below(body.length + 1)) + 2

const randomBytes = (draw: Draw, length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, () => draw.below(256)))

/** A text that opens and closes far deeper than any stack would follow. */
const nested = (draw: Draw): Buffer => {
  const depth = 1000 + draw.below(60_000)
  const [open, close] = draw.of([
    ['[', ']'],
    ['{"error":', '}'],
    ['{"choices":[', ']}'],
  ] as const)
  const isClosed = draw.below(2) === 0
  return Buffer.from(`data: {"error":${open.repeat(depth)}1${isClosed ? close.repeat(depth) : ''}}\n\n`)
}

const mutations: readonly Mutation[] = [
  (body, draw) => {
    const changed = Buffer.from(body)
    for (let left = 1 + draw.below(8); left > 0 && changed.length > 0; left--)
      changed[draw.below(changed.length)] = draw.below(256)
    return changed
  },
  (body, draw) => {
    const from = draw.below(body.length + 1)
    return Buffer.concat([body.subarray(0, from), body.subarray(from + draw.below(200))])
  },
  (body, draw) => put(body, draw.below(body.length + 1), draw.of(pieces)),
  (body, draw) => put(body, boundary(body, draw), draw.of(pieces)),
  (body, draw) => put(body, boundary(body, draw) + 7, draw.of(pieces)),
  (body, draw) => put(body, draw.below(body.length + 1), randomBytes(draw, draw.below(64))),
  (body, draw, another) =>
    Buffer.concat([body.subarray(0, draw.below(body.length + 1)), another.subarray(draw.below(another.length + 1))]),
  (body, draw) => {
    const from = draw.below(body.length + 1)
    return put(body, from, body.subarray(from, from + draw.below(2000)))
  },
  (body, draw) => {
    const end = draw.of(['\r', '\r\n', '\n\r'])
    return Buffer.from(body.toString('latin1').replaceAll('\n', end), 'latin1')
  },
  (body, draw) => body.subarray(0, draw.below(body.length + 1)),
]

/** Bodies of a kind that no recorded stream is of. */
const strange: readonly ((draw: Draw) => Buffer)[] = [
  (draw) => randomBytes(draw, draw.below(4096)),
  nested,
  (draw) =>
    Buffer.from(`${draw.of(['data: ', ': ', 'x', 'data: {"a":"'])}${'y'.repeat(900_000 + draw.below(300_000))}\n\n`),
  (draw) => Buffer.from('data: y\n'.repeat(draw.below(200_000))),
  (draw) => Buffer.from('data: {"choices":[{"text":"a"}]}\n\n'.repeat(draw.below(20_000))),
  (draw) => Buffer.from(draw.of(['\n', '\r', '\r\n', ':\n', 'data\n\n', 'event: error\r']).repeat(draw.below(50_000))),
]

/** A body to be read: nearly always a recorded one, changed up to three times, else a strange one. */
export function mutated(bodies: readonly Buffer[], draw: Draw): Buffer {
  if (draw.below(64) === 0) return draw.of(strange)(draw)
  let body: Buffer = draw.of(bodies)
  if (body.length > 20_000) body = body.subarray(0, 20_000)
  for (let left = draw.below(4); left > 0; left--) body = draw.of(mutations)(body, draw, draw.of(bodies))
  return body
}

/** Ascending places to cut it at: none, a few, or very many close together. */
export function cutsOf(length: number, draw: Draw): number[] {
  const many = draw.of([0, 1, 3, 20, 400])
  const from = draw.below(length + 1)
  const reach = draw.of([length + 1, Math.min(length + 1, 500)])
  return Array.from({ length: many }, () => (from + draw.below(reach)) % (length + 1)).sort((a, b) => a - b)
}
