/** What a line of a chart is of. Mermaid's own first colour is all but white. */
type Hue = 'now' | 'base' | 'limit'

const COLOURS: Readonly<Record<Hue, string>> = {
  now: '#1f6feb',
  base: '#8c959f',
  limit: '#cf222e',
}

export interface ChartLine {
  hue: Hue
  values: readonly number[]
}

/** Texts are of our own words and numbers alone: no escape is known to hold in all of Mermaid's places. */
export interface Chart {
  title: string
  /** The axis with its ends, or with a name for each value. */
  x: { label: string; from: number; to: number } | { label: string; names: readonly string[] }
  y: { label: string; from: number; to: number }
  lines: readonly ChartLine[]
  decimals: number
}

/** Lines over an axis as Mermaid draws them; where it is not drawn, its text can be read. Empty for a line of one point, which is not drawn. */
export function mermaidChart({ title, x, y, lines, decimals }: Chart): string {
  if (lines.some(({ values }) => values.length < 2)) return ''
  const palette = lines.map(({ hue }) => COLOURS[hue]).join(', ')
  const xAxis = 'names' in x ? `[${x.names.map((name) => `"${name}"`).join(', ')}]` : `${x.from} --> ${x.to}`
  const number = (value: number) => value.toFixed(decimals)
  return [
    '```mermaid',
    `%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "${palette}"}}}}%%`,
    'xychart-beta',
    `    title "${title}"`,
    `    x-axis "${x.label}" ${xAxis}`,
    `    y-axis "${y.label}" ${number(y.from)} --> ${number(y.to)}`,
    ...lines.map(({ values }) => `    line [${values.map(number).join(', ')}]`),
    '```',
  ].join('\n')
}
