/** One element. Mixed content is not told apart: `text` is all of the element's own, trimmed. */
export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: XmlElement[]
  text: string
}

const DEPTH_MAX = 64
const ELEMENTS_MAX = 500_000
const TOKEN =
  /<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>|<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w.-]+="[^"<]*")*)\s*(\/?)>/y
const ATTRIBUTE = /([\w.-]+)="([^"]*)"/g
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/**
 * Reads the XML that nvidia-smi writes: elements, attributes, text, comments, a document type without declarations of its own. Anything
 * else (a cut file, declared entities, CDATA, markup that does not close) is null: half a document says nothing.
 */
export function readXml(source: string): XmlElement | null {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open: XmlElement[] = [root]
  let at = 0
  let elements = 0
  while (at < source.length) {
    const current = open.at(-1)
    if (!current) return null
    if (source[at] !== '<') {
      const end = source.indexOf('<', at)
      current.text += source.slice(at, end === -1 ? source.length : end)
      at = end === -1 ? source.length : end
      continue
    }
    TOKEN.lastIndex = at
    const token = TOKEN.exec(source)
    if (!token) return null
    at += token[0].length
    const [, closing, name, attributes, empty] = token
    if (name === undefined) continue
    if (closing) {
      if (open.length < 2 || current.name !== name) return null
      open.pop()
      continue
    }
    elements += 1
    if (elements > ELEMENTS_MAX || open.length > DEPTH_MAX) return null
    const element: XmlElement = { name, attributes: attributesOf(attributes ?? ''), children: [], text: '' }
    current.children.push(element)
    if (!empty) open.push(element)
  }
  const [only, ...others] = root.children
  if (open.length !== 1 || !only || others.length > 0 || root.text.trim() !== '') return null
  return only
}

/** The first element at a path of names below this one. */
export function xmlAt(element: XmlElement | undefined, path: string): XmlElement | undefined {
  let found = element
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name)
  return found
}

/** The trimmed text at the first of the paths that is there. */
export function xmlText(element: XmlElement | undefined, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const found = xmlAt(element, path)
    if (found) return unescaped(found.text).trim()
  }
  return null
}

function attributesOf(source: string): Record<string, string> {
  return Object.fromEntries([...source.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, unescaped(value ?? '')]))
}

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
