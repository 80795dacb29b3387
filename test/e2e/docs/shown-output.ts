import type { ShownOutput } from '../../unit/docs/documented-commands.ts'

/** The first line that a page shows as printed and that was not, in its place; null where all were. `…` stands for whatever was there. */
export function missingLine({ lines, isMeasured }: ShownOutput, printed: string): string | null {
  const left = printed.split('\n').map((line) => plain(line, isMeasured))
  let at = 0
  for (const line of lines.filter((candidate) => !['', '…'].includes(candidate.trim()))) {
    const pattern = new RegExp(`^${plain(line, isMeasured).split('…').map(escaped).join('.*')}$`)
    const found = left.findIndex((candidate, index) => index >= at && pattern.test(candidate))
    if (found < 0) return line
    at = found + 1
  }
  return null
}

/** Blanks as one; of what is measured every number as any, with its sign, and a line of a table without its width. */
function plain(line: string, isMeasured: boolean): string {
  const text = line.trim().replaceAll(/\s+/g, ' ')
  return isMeasured ? text.replaceAll(/[−+-]?\d+(?:[.,:]\d+)*/g, '0').replaceAll(/[-─]{2,}/g, '-') : text
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
