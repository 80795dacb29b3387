// The house's own lint rules, loaded by oxlint (.oxlintrc.json): which room may import what, where there is no clock, and
// where arithmetic must be exact to the bit. One table; a new room or library is a line in it.
import { dirname, relative, resolve, sep } from 'node:path'

/** The rooms of src/core in order: each imports only rooms before it. */
const coreRooms = [
  'kernel',
  'dialect',
  'manifest',
  'schedule',
  'stream',
  'record',
  'slo',
  'telemetry',
  'capacity',
  'gate',
  'signoff',
  'history',
  'report',
  'init',
]

/** Libraries that compute and do nothing else. */
const pureLibraries = [
  'canonicalize',
  'csv-parse',
  'd3-scale',
  'd3-shape',
  'fastest-levenshtein',
  'fflate',
  'markdown-table',
  'pure-rand',
  'yaml',
  'zod',
]

const toolkit = /^@actions\//
const github = /^(@actions|@octokit)\//
const terminal = /^(commander|log-update|wrap-ansi)$/

interface Layer {
  /** Which files: their path from the root, with / between. */
  files: RegExp
  /** Whether a file of the layer may import the file at `target`. `room` is the first group of `files`. */
  mayImportFile(target: string, room: string, file: string): boolean
  /** Whether it may import the package or `node:` module of that name. */
  mayImportPackage(name: string, file: string): boolean
  /** What is allowed, for the message. */
  allowed: string
}

const isIn = (target: string, ...folders: string[]) => folders.some((folder) => target.startsWith(`${folder}/`))

/** The first layer whose `files` fits holds for a file. A file of src/ that fits none is itself an error. */
const layers: Layer[] = [
  {
    files: new RegExp(`^src/core/(${coreRooms.join('|')})/`),
    mayImportFile: (target, room) =>
      coreRooms.slice(0, coreRooms.indexOf(room) + 1).some((earlier) => isIn(target, `src/core/${earlier}`)),
    mayImportPackage: (name, file) =>
      pureLibraries.includes(name) || (name === 'node:crypto' && file === 'src/core/kernel/hash.ts'),
    allowed: `its own room, the rooms before it (${coreRooms.join(' → ')}) and pure libraries`,
  },
  {
    files: /^src\/app\/(ports)\//,
    mayImportFile: (target) => isIn(target, 'src/core', 'src/app/ports'),
    mayImportPackage: () => false,
    allowed: 'src/core and other ports',
  },
  {
    files: /^src\/(app)\//,
    mayImportFile: (target) => isIn(target, 'src/core', 'src/app'),
    mayImportPackage: () => false,
    allowed: 'src/core and src/app',
  },
  {
    files: /^src\/adapters\/(calibration|engine|replay|metrics|machine|store|github|terminal|system)\//,
    mayImportFile: (target, room) =>
      isIn(target, 'src/core', 'src/app/ports', 'src/adapters/system', `src/adapters/${room}`),
    mayImportPackage: (name, file) =>
      (!terminal.test(name) || (name !== 'commander' && isIn(file, 'src/adapters/terminal'))) &&
      (!github.test(name) || isIn(file, 'src/adapters/github')),
    allowed: 'src/core, src/app/ports, its own room, src/adapters/system and its own libraries',
  },
  {
    files: /^src\/(entry)\//,
    mayImportFile: (target) => isIn(target, 'src') || target === 'package.json',
    mayImportPackage: (name) => !github.test(name) || toolkit.test(name),
    allowed: 'anything of src',
  },
  {
    files: /^(fixtures)\/engine\//,
    mayImportFile: (target) => isIn(target, 'fixtures/engine'),
    mayImportPackage: (name) => name.startsWith('node:'),
    allowed: 'itself and node: modules, so that what is measured and what measures share no code',
  },
]

interface Node {
  type: string
  source?: Node | null
  value?: unknown
  callee?: Node
  name?: string
  arguments?: Node[]
  object?: Node
  property?: Node
  operator?: string
}

interface Context {
  filename: string
  report(finding: { node: Node; message: string }): void
}

const root = dirname(import.meta.dirname)

function pathFromRoot(path: string): string {
  return relative(root, path).split(sep).join('/')
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Why the file may not import the specifier, or nothing if it may. */
function objection(file: string, specifier: string): string | undefined {
  const layer = layers.find((candidate) => candidate.files.test(file))
  if (!layer) {
    return isIn(file, 'src')
      ? `${file} stands in no room of the house: put it in one, or add the room to the table`
      : undefined
  }
  const room = layer.files.exec(file)?.[1] ?? ''
  const isPath = specifier.startsWith('.') || specifier.startsWith('/')
  const target = isPath ? pathFromRoot(resolve(root, dirname(file), specifier)) : packageName(specifier)
  const isAllowed = isPath ? layer.mayImportFile(target, room, file) : layer.mayImportPackage(target, file)
  return isAllowed ? undefined : `${file} may not import ${target}: allowed are ${layer.allowed}`
}

const importRule = {
  create(context: Context) {
    const file = pathFromRoot(context.filename)
    const check = (node: Node) => {
      if (!node.source) return
      const specifier = node.source.value
      const message =
        typeof specifier === 'string'
          ? objection(file, specifier)
          : isIn(file, 'src') && 'an import names its file in plain text'
      if (message) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
      Program: (node: Node) => {
        if (isIn(file, 'src') && !layers.some((layer) => layer.files.test(file))) {
          context.report({ node, message: objection(file, '.') ?? '' })
        }
      },
    }
  },
}

const clockRule = {
  create(context: Context) {
    const message = 'The time comes in as a value or through a port.'
    return {
      NewExpression(node: Node) {
        if (node.callee?.name === 'Date' && node.arguments?.length === 0) context.report({ node, message })
      },
      CallExpression(node: Node) {
        if (node.callee?.name === 'Date') context.report({ node, message })
      },
      MemberExpression(node: Node) {
        if (node.object?.name === 'Date' && node.property?.name === 'now') context.report({ node, message })
      },
    }
  },
}

/** IEEE 754 fixes the last bit of these; every other function of Math is the machine's own approximation. */
const exactFunctions = [
  'abs',
  'ceil',
  'floor',
  'round',
  'trunc',
  'sign',
  'min',
  'max',
  'sqrt',
  'imul',
  'clz32',
  'fround',
]

const exactMathRule = {
  create(context: Context) {
    const message = 'Its last bit may differ between machines, and a schedule is frozen to the byte.'
    return {
      MemberExpression(node: Node) {
        const isMath = node.object?.name === 'Math'
        if (isMath && !exactFunctions.includes(node.property?.name ?? '')) context.report({ node, message })
      },
      VariableDeclarator(node: Node & { init?: Node | null }) {
        if (node.init?.type === 'Identifier' && node.init.name === 'Math') context.report({ node, message })
      },
      BinaryExpression(node: Node) {
        if (node.operator === '**') context.report({ node, message })
      },
    }
  },
}

export default {
  meta: { name: 'house' },
  rules: { layers: importRule, clockless: clockRule, 'exact-math': exactMathRule },
}
