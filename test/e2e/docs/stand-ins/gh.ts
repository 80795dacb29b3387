// Stands in for GitHub's own command line: takes what the real one takes, by the flags that its manual lists, and answers with what the
// next documented command reads. Ends with 1 and says why for a flag or a command that the real one does not have.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const REPOSITORY = { repo: { ...TEXT, short: 'R' } }
const JSON_OUTPUT = { jq: { ...TEXT, short: 'q' }, template: { ...TEXT, short: 't' } }

interface Subcommand {
  flags: Record<string, { type: 'string' | 'boolean'; short?: string; multiple?: boolean }>
  operands: number
  answer(values: Record<string, unknown>): string
}

const HEAD = 'f'.repeat(40)

const SUBCOMMANDS: Record<string, Subcommand> = {
  'pr view': {
    flags: {
      ...REPOSITORY,
      ...JSON_OUTPUT,
      json: TEXT,
      comments: { ...FLAG, short: 'c' },
      web: { ...FLAG, short: 'w' },
    },
    operands: 1,
    answer: ({ json, jq }) =>
      json === 'headRefOid' && jq === '.headRefOid' ? HEAD : refuse('only headRefOid is known'),
  },
  'pr diff': {
    flags: {
      ...REPOSITORY,
      color: TEXT,
      patch: FLAG,
      'name-only': FLAG,
      web: { ...FLAG, short: 'w' },
      exclude: { ...TEXT, short: 'e' },
    },
    operands: 1,
    answer: () => 'diff --git a/workload-manifest.yaml b/workload-manifest.yaml',
  },
  'pr edit': {
    flags: {
      ...REPOSITORY,
      title: { ...TEXT, short: 't' },
      body: { ...TEXT, short: 'b' },
      base: { ...TEXT, short: 'B' },
      'add-label': TEXT,
      'remove-label': TEXT,
      'add-reviewer': TEXT,
      'remove-reviewer': TEXT,
      milestone: { ...TEXT, short: 'm' },
    },
    operands: 1,
    answer: ({ 'add-label': label }) =>
      label === undefined || label === HEAD ? '' : refuse(`the label ${String(label)} is not there`),
  },
  'label create': {
    flags: {
      ...REPOSITORY,
      color: { ...TEXT, short: 'c' },
      description: { ...TEXT, short: 'd' },
      force: { ...FLAG, short: 'f' },
    },
    operands: 1,
    answer: () => '',
  },
  'label delete': { flags: { ...REPOSITORY, yes: FLAG }, operands: 1, answer: () => '' },
  'release download': {
    flags: {
      ...REPOSITORY,
      archive: { ...TEXT, short: 'A' },
      clobber: FLAG,
      dir: { ...TEXT, short: 'D' },
      output: { ...TEXT, short: 'O' },
      pattern: { ...TEXT, short: 'p' },
      'skip-existing': FLAG,
    },
    operands: 1,
    answer: () => {
      const name = 'capacity-gate-1.2.3.tgz'
      writeFileSync(name, name)
      writeFileSync('SHA256SUMS', `${createHash('sha256').update(name).digest('hex')}  ${name}\n`)
      return ''
    },
  },
  'attestation verify': {
    flags: {
      ...REPOSITORY,
      ...JSON_OUTPUT,
      owner: { ...TEXT, short: 'o' },
      bundle: { ...TEXT, short: 'b' },
      'bundle-from-oci': FLAG,
      'cert-identity': TEXT,
      'cert-identity-regex': { ...TEXT, short: 'i' },
      'cert-oidc-issuer': TEXT,
      'custom-trusted-root': TEXT,
      'deny-self-hosted-runners': FLAG,
      'digest-alg': { ...TEXT, short: 'd' },
      format: TEXT,
      hostname: TEXT,
      limit: { ...TEXT, short: 'L' },
      'no-public-good': FLAG,
      'predicate-type': TEXT,
      'signer-digest': TEXT,
      'signer-repo': TEXT,
      'signer-workflow': TEXT,
      'source-digest': TEXT,
      'source-ref': TEXT,
    },
    operands: 1,
    answer: ({ repo, owner, format, 'predicate-type': type }) => {
      if (repo === undefined && owner === undefined)
        refuse('at least one of the flags in the group [owner repo] is required')
      return format === 'json' ? attestation(String(type)) : ''
    },
  },
}

/** What was signed off in this folder, attested; a drill that passed where nothing was. */
function attestation(predicateType: string): string {
  const file = 'sign-off/sign-off.json'
  const drill = { result: 'PASSED', configuration: [], passedTests: ['drill'] }
  const predicate: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : drill
  const sha256 = process.env['DOCS_SUBJECT_SHA256'] ?? ''
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'ghcr.io/acme/engine', digest: { sha256 } }],
    predicateType,
    predicate,
  }
  const verifiedTimestamps = [{ type: 'Tlog', timestamp: new Date().toISOString() }]
  return JSON.stringify([{ verificationResult: { statement, verifiedTimestamps } }])
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

const [group = '', name = '', ...rest] = process.argv.slice(2)
const subcommand = SUBCOMMANDS[`${group} ${name}`] ?? refuse(`unknown command "${group} ${name}" for "gh"`)
try {
  const { values, positionals } = parseArgs({ args: rest, options: subcommand.flags, allowPositionals: true })
  if (positionals.length !== subcommand.operands)
    refuse(`accepts ${subcommand.operands} arg(s), received ${positionals.length}`)
  process.stdout.write(`${subcommand.answer(values)}\n`)
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error))
}
