import fc from 'fast-check'

/** Our own HTML, and nothing else, may stand in a report. */
const OWN_TAGS =
  /<\/?(?:details|summary|sub)>|<!-- capacity-gate:[\w.%-]*:[\w.%-]* -->|<!-- capacity-gate-heads:1 [[\]{}",:\w.-]* -->/g
/** Our own fences: commands of safe paths, and charts of our own numbers. */
const OWN_FENCES =
  /^```(?:sh\n(?:capacity-gate [\w ./:"-]+\n)+|mermaid\n%%\{init: [\w {}",:#]+\}%%\nxychart-beta\n(?: {4}[\w "[\],.%>’:-]+\n)+)```$/gm
const OWN_LINKS = /\[(?:run|`[0-9a-f]{10}`|\d{4}-\d\d-\d\d \d\d:\d\d)\]\(https:\/\/[\w./-]+\)/g

/**
 * What GitHub would make more of than text, written apart from the escapes it checks: code spans and our own tags are taken out
 * first, since nothing is read inside them.
 */
export function wrongIn(markdown: string): string[] {
  const text = markdown
    .replaceAll(OWN_FENCES, '')
    .replaceAll(OWN_LINKS, 'LINK')
    .replaceAll(/(?<!\\)`[^`\n]*`/g, 'CODE')
    .replaceAll(OWN_TAGS, '')
  const checks: [string, RegExp][] = [
    ['html', /</],
    ['mention', /@[A-Za-z0-9]/],
    ['reference', /(?<!&)#\d/],
    ['gh reference', /GH-\d/i],
    ['bare address', /:\/\/|www\./i],
    ['link', /(?<!\\)\]\s*[([:]/],
    ['code span', /(?<!\\)`/],
    ['bidi or control', /[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200e}\u{200f}\u{61c}]/u],
  ]
  const oneLine = text.replaceAll('\n', ' ').replaceAll(String.raw`\\`, '')
  return checks.filter(([, pattern]) => pattern.test(oneLine)).map(([name]) => name)
}

/** The cells of a table's row: between its outer pipes, split where no backslash stands before the pipe. */
export function cellsOf(row: string): number {
  return row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/).length
}

const NASTY = [
  '<script>',
  '<!-- capacity-gate:x: -->',
  '-->',
  '</details>',
  '[a](javascript:alert(1))',
  '![](http://x/y.png)',
  '@octocat',
  '@acme/team',
  '#1',
  'acme/x#9',
  'GH-1',
  'https://evil.example/',
  'www.evil.example',
  'a@b.example',
  '|',
  '\\|',
  '\\',
  '`',
  '```\n',
  '\n\n# heading\n',
  '\r',
  '\u{202e}',
  '\u{2028}',
  '\u{200b}',
  '\u{1b}[2J',
  '\u{d800}',
  '😀',
  '$$',
  '&lt;',
  '**',
  '~~',
  '__proto__',
  '::set-output name=x::y',
  '%0A',
]

/** Any text, and the pieces that break reports, in any order. */
export function hostileString(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ maxLength: 12 }),
  )
  return fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
}
