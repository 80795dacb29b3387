import type { ClassProfile, LengthRange } from './class-profile.ts'
import { type GridBox, GRID_SIDE, gridFloor, type JointLengths } from './joint-lengths.ts'

/** A smaller class would take too long to reach its floor of successes. */
const LEAST_SHARE = 0.05
/** A cut that explains less of how the lengths vary is not worth a class. */
const LEAST_GAIN = 0.05

/** A class as the cuts made it: a rectangle of the grid. */
interface Leaf {
  box: GridBox
  requests: number
}

interface Cut {
  /** How much less the logarithms of the lengths vary around the means of both sides than around that of the whole. */
  gain: number
  low: Leaf
  high: Leaf
}

/**
 * At most `most` classes by length. The cut that best explains how the lengths vary, on a log scale, is made first, across the input or
 * the output length of one class so far; both sides keep 5 % of all requests; no further cut is made where it would explain less than 5 %.
 * No chance is in it. A class before another one lies below the cut between them: so the first class whose upper ends hold both lengths of
 * a request is its class.
 */
export function suggestClasses(lengths: JointLengths, most: number): ClassProfile[] {
  const whole: GridBox = { inputFrom: 0, inputTo: GRID_SIDE, outputFrom: 0, outputTo: GRID_SIDE }
  const { requests } = lengths.totals(whole)
  const leaves: Leaf[] = [{ box: whole, requests }]
  const leastGain = LEAST_GAIN * spread(lengths, whole)
  while (leaves.length < most) {
    const cuts = leaves.map((leaf) => bestCut(lengths, leaf, LEAST_SHARE * requests))
    const best = cuts.reduce((found, cut, at) => ((cut?.gain ?? 0) > (cuts[found]?.gain ?? 0) ? at : found), 0)
    const cut = cuts[best]
    if (cut === null || cut === undefined || cut.gain < leastGain || cut.gain === 0) break
    leaves.splice(best, 1, cut.low, cut.high)
  }
  return withNames(leaves.map((leaf) => profileOf(lengths, leaf, requests)))
}

function profileOf(lengths: JointLengths, { box }: Leaf, all: number): Omit<ClassProfile, 'name'> {
  const { requests, inputTokens, outputTokens } = lengths.totals(box)
  return {
    requests,
    share: requests / all,
    inputTokens: range(inputTokens / requests, box.inputFrom, box.inputTo, lengths.input),
    outputTokens: range(outputTokens / requests, box.outputFrom, box.outputTo, lengths.output),
  }
}

function range(mean: number, from: number, to: number, all: { least: number; largest: number }): LengthRange {
  return {
    mean: Math.round(mean),
    from: Math.max(gridFloor(from), all.least),
    to: to === GRID_SIDE ? all.largest : Math.min(gridFloor(to) - 1, all.largest),
  }
}

/** `in1024_out128`, from the mean lengths: what a class does is for people to name. */
function withNames(classes: Omit<ClassProfile, 'name'>[]): ClassProfile[] {
  const names = classes.map(({ inputTokens, outputTokens }) => `in${inputTokens.mean}_out${outputTokens.mean}`)
  return classes.map((found, index) => {
    const name = names[index] ?? ''
    return { name: names.indexOf(name) === index ? name : `${name}_${index + 1}`, ...found }
  })
}

type Axis = 'input' | 'output'

function bestCut(lengths: JointLengths, leaf: Leaf, least: number): Cut | null {
  const cuts = [cutAcross(lengths, leaf, 'input', least), cutAcross(lengths, leaf, 'output', least)]
  return cuts.reduce((best, cut) => ((cut?.gain ?? 0) > (best?.gain ?? 0) ? cut : best), null)
}

function cutAcross(lengths: JointLengths, leaf: Leaf, axis: Axis, least: number): Cut | null {
  const [from, to] = ends(leaf.box, axis)
  const slices: Moments[] = []
  for (let bin = from; bin < to; bin++) slices.push(moments(lengths, within(leaf.box, axis, bin, bin + 1)))
  const whole = slices.reduce(add, NOTHING)
  let [best, low]: [Cut | null, Moments] = [null, NOTHING]
  for (const [index, slice] of slices.entries()) {
    low = add(low, slice)
    const high = subtract(whole, low)
    if (low.requests < least || high.requests < least) continue
    const gain = squares(whole) - squares(low) - squares(high)
    if (gain <= (best?.gain ?? 0)) continue
    const at = from + index + 1
    best = {
      gain,
      low: { box: within(leaf.box, axis, from, at), requests: low.requests },
      high: { box: within(leaf.box, axis, at, to), requests: high.requests },
    }
  }
  return best
}

function ends(box: GridBox, axis: Axis): [from: number, to: number] {
  return axis === 'input' ? [box.inputFrom, box.inputTo] : [box.outputFrom, box.outputTo]
}

function within(box: GridBox, axis: Axis, from: number, to: number): GridBox {
  return axis === 'input' ? { ...box, inputFrom: from, inputTo: to } : { ...box, outputFrom: from, outputTo: to }
}

/** Sums over requests of a rectangle; a bin's number stands for the logarithm of its length. Whole numbers, so that sums are exact. */
interface Moments {
  requests: number
  input: number
  inputSquares: number
  output: number
  outputSquares: number
}

const NOTHING: Moments = { requests: 0, input: 0, inputSquares: 0, output: 0, outputSquares: 0 }

function moments(lengths: JointLengths, box: GridBox): Moments {
  const sum = { ...NOTHING }
  for (let input = box.inputFrom; input < box.inputTo; input++) {
    for (let output = box.outputFrom; output < box.outputTo; output++) {
      const requests = lengths.requestsAt(input, output)
      sum.requests += requests
      sum.input += requests * input
      sum.inputSquares += requests * input * input
      sum.output += requests * output
      sum.outputSquares += requests * output * output
    }
  }
  return sum
}

function add(a: Moments, b: Moments): Moments {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    inputSquares: a.inputSquares + b.inputSquares,
    output: a.output + b.output,
    outputSquares: a.outputSquares + b.outputSquares,
  }
}

function subtract(a: Moments, b: Moments): Moments {
  return {
    requests: a.requests - b.requests,
    input: a.input - b.input,
    inputSquares: a.inputSquares - b.inputSquares,
    output: a.output - b.output,
    outputSquares: a.outputSquares - b.outputSquares,
  }
}

/** Sum of squares around the mean, of both lengths. */
function squares({ requests, input, inputSquares, output, outputSquares }: Moments): number {
  if (requests === 0) return 0
  return inputSquares - (input * input) / requests + outputSquares - (output * output) / requests
}

function spread(lengths: JointLengths, box: GridBox): number {
  return squares(moments(lengths, box))
}
