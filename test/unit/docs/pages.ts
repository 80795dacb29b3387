import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** A page for people: its path from the root, and its text. */
export interface Page {
  path: string
  text: string
}

/** README, CONTRIBUTING, CHANGELOG, SECURITY and everything below docs/ that is Markdown. */
export function pages(): Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  const paths = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...docs.map((name) => join('docs', name)),
  ]
  return paths.filter((path) => path.endsWith('.md')).map(page)
}

export function page(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') }
}

/** The contents of the page's fenced blocks of one language, without the indentation of a list around them. */
export function fences({ text }: Page, language: string): string[] {
  const blocks = text.matchAll(/^( *)```(\S*)\n(.*?)^\1```$/gms)
  return [...blocks].flatMap(([, indent = '', name, body = '']) =>
    name === language ? [body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  )
}

/** What stands between a page's `<!-- NAME:start -->` and `<!-- NAME:end -->`. */
export function part({ path, text }: Page, name: string): string {
  const [, rest] = text.split(`<!-- ${name}:start -->`)
  const [body, after] = rest?.split(`<!-- ${name}:end -->`) ?? []
  if (body === undefined || after === undefined) throw new Error(`${path} has no part ${name}`)
  return body
}

/** The backticked words of the first column of every table in a text. */
export function firstColumnCodes(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ''))
}

/** `[a](target "title")`, `[a]: target` and HTML's own. */
const LINK = /\]\(<?([^()\s>]+)|^ *\[[^\]]+\]: *(\S+)|<[a-z]+ [^>]*(?:href|src|srcset)="([^"]+)"/gm

/** Links of a page to what is not there: a file of the project, or a heading of a page. */
export function deadLinks(from: Page): string[] {
  const prose = withoutFences(from.text).replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(LINK)].map((link) => link.slice(1).find((target) => target !== undefined) ?? '')
  return targets.filter((target) => !/^https?:\/\//.test(target) && !leadsSomewhere(from.path, target))
}

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), file))
  if (!existsSync(join(ROOT, path)) || relative(ROOT, join(ROOT, path)).startsWith('..')) return false
  return anchor === undefined || anchors(page(path)).includes(anchor)
}

/** The anchors that GitHub gives a page's headings: a heading's second one of the same words has a number. */
function anchors({ text }: Page): string[] {
  const plain = [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return plain.map((anchor, index) => {
    const before = plain.slice(0, index).filter((earlier) => earlier === anchor).length
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

function withoutFences(text: string): string {
  return text.replaceAll(/^( *(?:> ?)?)```.*?^\1```$/gms, '')
}
