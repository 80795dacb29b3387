import type { Evidence } from '../../kernel/evidence.ts'
import { pointName } from '../../kernel/point.ts'
import type { CapacityRecord } from '../../capacity/record.ts'
import { probesWorstFirst, seenText, stateText } from '../evidence-section.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { NONE, plural } from '../numbers.ts'
import { columns } from '../table.ts'

/** Of what did not pass, so many answers are listed one by one. */
const LISTED_MAX = 400

/** Every probe with its states and the worst that it saw, and what did not pass with the file that it was read from. */
export function evidenceSection(record: CapacityRecord): string {
  const probes = probesWorstFirst(record)
  const from = new Map(answers(record).map((answer) => [answer.evidence, answer.from]))
  const rows = probes.map(([name, { worst, counts }]) => [
    `<code>${htmlText(name, 60)}</code>`,
    stateText(counts),
    worst.required ? 'required' : 'advice',
    htmlText(worst.blames, 20),
    seenText(worst, htmlText),
    fileText(worst, from.get(worst)),
  ])
  const heads = columns('probe', 'state', 'kind', 'blames', 'worst seen', 'file')
  return [
    '<section id="evidence" aria-labelledby="h-evidence">',
    '<h2 id="h-evidence">Evidence</h2>',
    '<p class="soft">A probe that was not answered is unknown: never a pass.</p>',
    rows.length === 0 ? '<p>No probe reported anything.</p>' : htmlTable({ label: 'All probes', heads, rows }),
    notPassed(record),
    '</section>',
  ]
    .filter((block) => block !== '')
    .join('\n')
}

/** The file that a probe names, else what it was judged from. */
function fileText({ file, sha256 }: Evidence, from: string | undefined): string {
  if (file === undefined) return from === undefined ? NONE : `<code>${htmlText(from, 120)}</code>`
  const digest = sha256 === undefined ? '' : ` (sha256 ${htmlText(sha256, 12)})`
  return `<code>${htmlText(file, 120)}</code>${digest}`
}

interface Answer {
  where: string
  /** The pack's folder or file that it was judged from. */
  from: string
  evidence: Evidence
}

function answers(record: CapacityRecord): Answer[] {
  return [
    ...record.identity.map((evidence) => ({ where: 'the run', from: 'capacity.json', evidence })),
    ...record.evidence.map((evidence) => ({ where: 'the run', from: 'capacity.json', evidence })),
    ...record.capacity.flatMap(({ points }) =>
      points.flatMap((point) => {
        const name = pointName(point.key)
        return point.evidence.map((evidence) => ({ where: name, from: `points/${name}/`, evidence }))
      }),
    ),
  ]
}

function notPassed(record: CapacityRecord): string {
  const open = answers(record).filter(({ evidence }) => evidence.state !== 'pass')
  const rows = open
    .slice(0, LISTED_MAX)
    .map(({ where, from, evidence }) => [
      htmlText(where, 60),
      `<code>${htmlText(evidence.probe, 60)}</code>`,
      evidence.state,
      seenText(evidence, htmlText),
      `<code>${htmlText(evidence.file ?? from, 120)}</code>`,
    ])
  const heads = columns('of', 'probe', 'state', 'seen', 'file')
  const left = open.length - rows.length
  return htmlFold(`${plural(open.length, 'answer')} that did not pass`, [
    htmlTable({ label: 'Answers that did not pass', heads, rows }),
    left === 0 || open.length === 0 ? '' : `<p>…and ${left} more: capacity.json has them.</p>`,
  ])
}
