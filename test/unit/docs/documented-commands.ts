import type { Page } from './pages.ts'

/** A command as a page writes it, continued lines put together. */
export interface DocumentedCommand {
  text: string
  /** What the page says that it ends with: `# exit code 2` behind it, `# exit code 3 where …` for 0 or 3; else 0. */
  exitCodes: number[]
}

/** What is run at one place of a page: the commands of a fence, or one that stands in a sentence or a table. */
export interface CommandBlock {
  line: number
  isInline: boolean
  commands: DocumentedCommand[]
  /** What the page shows as printed, in a `text` fence that comes next under the same heading; null where it shows nothing. */
  shown: ShownOutput | null
}

export interface ShownOutput {
  lines: string[]
  /** Its numbers were measured: those of another run differ. */
  isMeasured: boolean
}

const FENCE = /^(?<lead> *(?:> ?)?)```(?<info>[^\n`]*)\n(?<body>.*?)^\k<lead>```$/gms
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'console', 'shell'])
/** What a fence may be of; without a word it is something shown that is no command's. */
const KNOWN: ReadonlySet<string> = new Set([...SHELLS, '', 'text', 'text measured', 'yaml', 'json', 'ts', 'mermaid'])

/** A span of code ends in its paragraph, on whichever line. */
const SPAN = /`((?:[^`\n]|\n(?!\s*\n))+)`/g

/** Every command of a page, in its order. */
export function commandBlocks({ text }: Page): CommandBlock[] {
  const fences = [...text.matchAll(FENCE)]
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  const blocks = fences.flatMap((fence, position) => {
    if (!SHELLS.has(fence.groups?.['info']?.trim() ?? '')) return []
    const commands = commandsOf(bodyOf(fence))
    const next = fences[position + 1]
    const between = next === undefined ? null : text.slice(fence.index + fence[0].length, next.index)
    const shown = between === null || /^[\s>]*#+ /m.test(between) ? null : shownOf(next)
    return [{ line: lineAt(fence.index), isInline: false, commands, shown }]
  })
  const inline = [...prose(text).matchAll(SPAN)].flatMap(({ 1: code = '', index }) => {
    const span = code.replaceAll(/\n[ >]*/g, ' ')
    return isWholeCommand(span)
      ? [{ line: lineAt(index), isInline: true, commands: commandsOf(span), shown: null }]
      : []
  })
  return [...blocks, ...inline].toSorted((a, b) => a.line - b.line)
}

const CALLS = /^(?:[$>] )?(?:capacity-gate|npx|npm|node|gh) [a-z-].*/m
const OTHER_CODE = /```|~~~|^(?: {4}|\t)\s*(?:capacity-gate|npx|npm|node|gh) |<(?:pre|code)\b/

/** What a page shows as code in a way that is not read here, whose commands would never be run: its lines. */
export function unreadCode({ text }: Page): string[] {
  const fences = [...text.matchAll(FENCE)].flatMap((fence) => {
    const info = fence.groups?.['info'] ?? ''
    if (!KNOWN.has(info)) return [`\`\`\`${info}`]
    return info === '' ? (CALLS.exec(bodyOf(fence)) ?? []) : []
  })
  const left = prose(text)
    .split('\n')
    .filter((line) => OTHER_CODE.test(line))
  return [...fences, ...left]
}

/** The text with its fences and comments blanked out, every character at its place. */
function prose(text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ')
  return text.replaceAll(FENCE, blank).replaceAll(/<!--.*?-->/gs, blank)
}

function bodyOf({ groups }: RegExpMatchArray): string {
  const { lead = '', body = '' } = groups ?? {}
  return body
    .split('\n')
    .map((line) => (line.startsWith(lead) ? line.slice(lead.length) : line.slice(lead.trimEnd().length)))
    .join('\n')
}

function commandsOf(body: string): DocumentedCommand[] {
  const lines = body.replaceAll(/ *\\\n\s*/g, ' ').split('\n')
  return lines.flatMap((line) => {
    const [, text = '', code, where] = /^(.*?)(?:\s+# exit code (\d+)( where .+)?)?$/.exec(line.trim()) ?? []
    const exitCodes = where === undefined ? [Number(code ?? 0)] : [0, Number(code)]
    return text === '' || text.startsWith('#') ? [] : [{ text, exitCodes }]
  })
}

function shownOf(fence: RegExpMatchArray | undefined): ShownOutput | null {
  const info = fence?.groups?.['info']?.trim()
  if (fence === undefined || (info !== 'text' && info !== 'text measured')) return null
  const lines = bodyOf(fence).trimEnd().split('\n')
  return { lines, isMeasured: info === 'text measured' }
}

/** Programs whose name alone, in a sentence, is no command: they need an argument to be one. */
const WHOLE = /^(?:[A-Z_]+=\S* )*(?:(?:npx )?capacity-gate -{0,2}[a-z]|npm (?:test|run )|node [\w/.-]+)/

/** A span with an ellipsis, or with a word that stands for what the reader puts there, tells of a command and is none. */
function isWholeCommand(span: string): boolean {
  return WHOLE.test(span) && !/…|\bCOMMAND\b|\bSECONDS\b|--$/.test(span)
}
