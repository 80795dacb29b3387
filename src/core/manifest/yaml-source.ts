import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type LineCounter,
  type Node,
  type Pair,
} from 'yaml'
import type { JsonValue } from '../kernel/canonical.ts'
import type { Path } from './finding.ts'

export interface Place {
  line: number
  column: number
}

/** A YAML text that was read: its plain value, and where each part of it stands. */
export interface YamlSource {
  value: JsonValue
  /** The place of a path's value, or of its key; of its nearest existing parent where it is missing. */
  place(path: Path, at: 'key' | 'value'): Place
  /** The text of a plain scalar as it was written, e.g. `0.10` for the number 0.1; null for anything else. */
  written(path: Path): string | null
}

export function yamlSource(document: Document.Parsed, lines: LineCounter, value: JsonValue): YamlSource {
  const root = document.contents as Node | null
  return {
    value,
    place(path, at) {
      const found = walk(document, root, path)
      const key = found.pair && isNode(found.pair.key) ? found.pair.key : null
      const missing = found.depth < path.length
      const isEmpty = isScalar(found.node) && found.node.value === null && found.node.source === ''
      const node = at === 'key' || missing || isEmpty ? (key ?? found.node) : (found.node ?? key)
      const offset = node?.range?.[0]
      if (offset === undefined || (missing && found.depth === 0)) return { line: 1, column: 1 }
      const { line, col } = lines.linePos(offset)
      return { line, column: col }
    },
    written(path) {
      const found = walk(document, root, path)
      return found.depth === path.length && isScalar(found.node) ? (found.node.source ?? null) : null
    },
  }
}

interface Walk {
  /** The deepest node on the path that exists. */
  node: Node | null
  /** The pair that holds it; of a list's item, the nearest pair above. */
  pair: Pair | null
  /** How many parts of the path exist. */
  depth: number
}

function walk(document: Document.Parsed, root: Node | null, path: Path): Walk {
  const found: Walk = { node: root, pair: null, depth: 0 }
  for (const part of path) {
    const parent = resolved(document, found.node)
    if (isSeq(parent)) {
      const item = parent.items[Number(part)]
      if (!isNode(item)) return found
      found.node = item
      // An item has no key: the item itself is where it stands.
      found.pair = null
    } else {
      const pair = isMap(parent) ? pairOf(document, parent.items, String(part)) : undefined
      if (!pair) return found
      found.pair = pair
      found.node = isNode(pair.value) ? pair.value : null
    }
    found.depth += 1
  }
  return found
}

function resolved(document: Document.Parsed, node: Node | null): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node
}

/** The pair of a key, also one that came in through a merge key. */
function pairOf(document: Document.Parsed, items: readonly unknown[], key: string): Pair | undefined {
  const pairs = items.filter(isPair)
  const own = pairs.findLast((pair) => isScalar(pair.key) && String(pair.key.value) === key)
  if (own) return own
  for (const pair of pairs) {
    if (!isScalar(pair.key) || (pair.key.value !== '<<' && pair.key.source !== '<<')) continue
    const merged = resolved(document, isNode(pair.value) ? pair.value : null)
    const maps = isSeq(merged) ? merged.items.map((item) => resolved(document, isNode(item) ? item : null)) : [merged]
    for (const map of maps) {
      const inherited = isMap(map) ? pairOf(document, map.items, key) : undefined
      if (inherited) return inherited
    }
  }
  return undefined
}
