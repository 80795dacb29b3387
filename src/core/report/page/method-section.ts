import { htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { readTerms } from '../../gate/terms.ts'
import { milliseconds, NONE, percent, plainNumber } from '../numbers.ts'
import { columns } from '../table.ts'
import type { PageInput } from './facts.ts'

/** How each number comes about: words that the page's other parts rest on. */
const FORMULAS: readonly (readonly [name: string, formula: string])[] = [
  [
    'due',
    'floor(offset · 1000 / milli-requests a second): the schedule is the same at every rate. Requests are sent when due, whatever became of earlier ones (open loop).',
  ],
  ['TTFT', 'first token less sent; a token counts when the read came that completed its event'],
  [
    'TPOT',
    '(last token less first token) / (output tokens − 1); output tokens as the engine counts them, never chunks',
  ],
  ['E2E', 'last token less sent'],
  ['attainment', 'successes within every cutoff of their class / successes of the class'],
  ['good RPS', 'successes within their cutoffs / seconds of the cohort, its drain included'],
  ['completed RPS', 'successes / seconds of the cohort, its drain included'],
  ['errors %', 'requests that did not end ok / requests attempted'],
  [
    'percentile',
    'nearest rank: of n values in ascending order the one at rank ⌈p · n⌉. No interpolation. P99 only where there are 10,000 successes or more.',
  ],
  [
    '95 % interval',
    'of attainment: block bootstrap where there is one, else Wilson. It is shown, and decides nothing.',
  ],
  [
    'capacity',
    'the highest offered rate that passed below the lowest that failed; a rate above a failing one that passed is a fluke and counts for nothing',
  ],
  [
    '± client',
    'the client’s own error by its calibration before the run: P99 of |reported less true|; of TPOT that of the time between first and last token over the tokens after the first. ? is not known.',
  ],
  [
    'Little’s law',
    'requests ended a second · mean seconds from sent to their end ≈ mean number in flight. Client: its own gauge, of what the law gives. Engine: its running and waiting, of the client’s gauge over the arrival window.',
  ],
]

/** What was asked, how it was computed, and how exact the client itself is. */
export function methodSection(input: PageInput): string {
  const terms = readTerms(input.record)
  const rows = FORMULAS.map(([name, formula]) => [name, htmlText(formula, 600)])
  const asked =
    terms === null
      ? '<p>The record does not hold the terms by which it was judged.</p>'
      : `<p>Asked: every class attains ${percent(terms.attainmentMin)} % with at least ${terms.samplesMin} successes, errors at most ${percent(terms.errorRateMax)} %, tolerance ${percent(terms.toleranceShare)} %.</p>`
  return [
    '<section id="method" aria-labelledby="h-method">',
    '<h2 id="h-method">How it is computed</h2>',
    asked,
    clientError(input),
    htmlTable({ label: 'Formulas', heads: columns('word', 'formula'), rows }),
    '</section>',
  ].join('\n')
}

function clientError({ calibration }: PageInput): string {
  if (calibration === null)
    return '<p class="note">The client’s own error is not known: the pack holds no calibration that can be read.</p>'
  if (!calibration.made)
    return `<p class="note">The client’s own error is not known: ${htmlText(calibration.cause, 300)}</p>`
  const { errors, need, paced } = calibration
  const rows = (['ttft', 'decode', 'e2e', 'sendLag'] as const).map((metric) => {
    const { p50Us, p99Us, n } = errors[metric]
    return [TITLES[metric], milliseconds3(p50Us), milliseconds3(p99Us), String(n)]
  })
  return [
    `<p>The client calibrated itself at ${plainNumber(need.milliRps / 1000)} RPS (${milliseconds(paced.eventsPerSecond)} events a second) before anything was measured:</p>`,
    htmlTable({ label: 'The client’s own error', heads: columns('own error of', 'P50 ms:', 'P99 ms:', 'n:'), rows }),
  ].join('\n')
}

const TITLES = { ttft: 'TTFT', decode: 'first to last token', e2e: 'E2E', sendLag: 'send lag' } as const

function milliseconds3(us: number | null): string {
  return us === null ? NONE : (us / 1000).toFixed(3)
}
