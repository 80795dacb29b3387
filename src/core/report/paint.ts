import type { Outcome } from '../gate/verdict.ts'

/** What a colour stands for on a terminal. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'faint' | 'strong'

/** Colours a text of one line; without colours it comes back as it is. */
export type Paint = (tone: Tone, text: string) => string

export const NO_PAINT: Paint = (_, text) => text

const TONES: Record<Outcome, Tone> = {
  held: 'good',
  improved: 'good',
  recorded: 'doubtful',
  inconclusive: 'doubtful',
  invalid: 'bad',
  regressed: 'bad',
}

export function toneOf(outcome: Outcome): Tone {
  return TONES[outcome]
}
