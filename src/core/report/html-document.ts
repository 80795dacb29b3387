import { sha256Hex } from '../kernel/hash.ts'
import { htmlText, scriptJson } from './html-text.ts'

export interface HtmlDocument {
  title: string
  /** Elements of the head beside the document's own. */
  head?: readonly string[]
  style: string
  /** What stands in `main`, as HTML. */
  body: readonly string[]
  /** Kept in the document as JSON that `JSON.parse` reads back, under the element's id. */
  data: { id: string; value: unknown }
}

/**
 * One HTML file that loads nothing and runs nothing: its policy allows its own style, by hash, and no script, picture, frame or form. No
 * element may have a `style` attribute: it would not count.
 */
export function htmlDocument({ title, head = [], style, body, data }: HtmlDocument): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    ...head,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${base64Sha256(style)}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${htmlText(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...body,
    '</main>',
    `<script type="application/json" id="${data.id}">${scriptJson(data.value)}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function base64Sha256(text: string): string {
  const hex = sha256Hex(text)
  const bytes = Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))
  return btoa(String.fromCharCode(...bytes))
}
