import type { CapacityRecord } from '../../capacity/record.ts'
import { changeText, experimentChanges } from '../../gate/experiment-changes.ts'
import type { ReportInput } from '../context.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { milliseconds, NONE, plural } from '../numbers.ts'
import { columns } from '../table.ts'

const VALUE_MAX = 400

/** What ran on what, beside the baseline's: subject, environment, machine, boots; what differs stands first. */
export function identitySection({ record, baseline }: ReportInput): string {
  const changes = baseline === null ? [] : experimentChanges(baseline, record)
  return [
    '<section id="identity" aria-labelledby="h-identity">',
    '<h2 id="h-identity">Subject, environment and machine</h2>',
    baseline === null ? '<p class="soft">There is no baseline to compare with.</p>' : '',
    diffTable('Subject', subjectFacts(record), baseline && subjectFacts(baseline)),
    diffTable(
      'Environment variables',
      new Map(Object.entries(record.subject.env)),
      baseline && new Map(Object.entries(baseline.subject.env)),
    ),
    diffTable('Machine', machineFacts(record), baseline && machineFacts(baseline)),
    changes.length === 0
      ? ''
      : `<h3>Experiment: ${plural(changes.length, 'difference')}</h3><ul>${changes.map((change) => `<li>${htmlText(changeText(change), VALUE_MAX)}`).join('')}</ul>`,
    bootTable(record),
    '</section>',
  ]
    .filter((block) => block !== '')
    .join('\n')
}

function subjectFacts({
  subject,
  experiment,
  commit,
  createdAt,
  kind,
  tool,
  schedules,
}: CapacityRecord): Map<string, string> {
  return new Map([
    ['engine', `${subject.name} ${subject.version}`],
    ['image', subject.image ?? ''],
    ['arguments', subject.argv.join(' ')],
    ['subject', subject.sha256.slice(0, 12)],
    ['experiment', experiment.sha256.slice(0, 12)],
    ...Object.entries(schedules).map(([cache, digest]): [string, string] => [
      `schedule, ${cache}`,
      digest.slice(0, 12),
    ]),
    ['commit', commit ?? ''],
    ['measured', createdAt],
    ['kind', kind],
    ['Capacity Gate', tool.version],
  ])
}

function machineFacts({ hardware }: CapacityRecord): Map<string, string> {
  return new Map([...Object.entries(hardware.recorded), ...Object.entries(hardware.mustEqual)])
}

/** Two columns of values; the lines that differ first, and marked by a word. */
function diffTable(title: string, now: ReadonlyMap<string, string>, was: ReadonlyMap<string, string> | null): string {
  const keys = [...new Set([...(was?.keys() ?? []), ...now.keys()])]
  const differs = (key: string) => was !== null && was.get(key) !== now.get(key)
  const ordered = [...keys.filter(differs), ...keys.filter((key) => !differs(key))]
  const rows = ordered.map((key) => [
    `<code>${htmlText(key, 80)}</code>`,
    ...(was === null ? [] : [valueText(was.get(key))]),
    valueText(now.get(key)),
    ...(was === null ? [] : [differs(key) ? '<span class="differs">differs</span>' : 'same']),
  ])
  const heads = was === null ? columns(title, 'now') : columns(title, 'baseline', 'now', '')
  if (rows.length === 0) return ''
  const head = heads.map((column) => (column.title === '' ? { ...column, title: 'difference' } : column))
  return htmlTable({ label: title, heads: head, rows })
}

function valueText(value: string | undefined): string {
  return value === undefined || value === '' ? NONE : htmlText(value, VALUE_MAX)
}

function bootTable({ boots }: CapacityRecord): string {
  const rows = boots.map((boot) => [
    htmlText(boot.deployId, 40),
    boot.seconds.toFixed(1),
    milliseconds(boot.firstRequestMs),
    boot.compileCache,
    boot.kvTokens === null ? 'unknown' : String(boot.kvTokens),
  ])
  const heads = columns('boot', 'ready s:', 'first request ms:', 'compile cache', 'KV tokens:')
  return htmlFold(plural(boots.length, 'boot'), [htmlTable({ label: 'Boots', heads, rows })])
}
