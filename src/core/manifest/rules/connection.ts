import { showValue, type Breach, type Path } from '../finding.ts'
import type { Rule, RuleInput } from './rule.ts'

const CONNECTION: Path = ['client', 'connection']

/** Headers that the client writes itself, or that belong to the connection. */
const OWNED = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
])
/** Headers whose value is a secret. */
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-auth-token'])

function headerNames({ draft }: RuleInput): string[] {
  return Object.keys(draft.client?.connection?.headers ?? {})
}

function ownedHeaders(input: RuleInput): Breach[] {
  const { session_header: session } = input.draft.client ?? {}
  const ofRequest = input.dialect.requestIdHeader?.toLowerCase()
  const isOwned = (name: string) => OWNED.has(name) || name === ofRequest
  const found = headerNames(input).flatMap((name): Breach[] => {
    const lower = name.toLowerCase()
    const isSession = lower === session?.toLowerCase()
    if (!isOwned(lower) && !isSession) return []
    return [
      {
        path: [...CONNECTION, 'headers', name],
        at: 'key',
        message: `the header ${showValue(name)} is the client's own`,
      },
    ]
  })
  if (session === undefined || !(isOwned(session.toLowerCase()) || SECRET.has(session.toLowerCase()))) return found
  const message = `\`client.session_header\` is ${showValue(session)}, which has a meaning of its own`
  return [...found, { path: ['client', 'session_header'], message }]
}

function secretHeaders(input: RuleInput): Breach[] {
  return headerNames(input)
    .filter((name) => SECRET.has(name.toLowerCase()))
    .map((name): Breach => {
      const message = `the header ${showValue(name)} would hold a secret in plain text`
      return { path: [...CONNECTION, 'headers', name], at: 'key', message }
    })
}

function headersTwice(input: RuleInput): Breach[] {
  const seen = new Set<string>()
  return headerNames(input).flatMap((name): Breach[] => {
    const isSecond = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    if (!isSecond) return []
    return [
      { path: [...CONNECTION, 'headers', name], at: 'key', message: `the header ${showValue(name)} stands twice` },
    ]
  })
}

function noHttp2({ draft }: RuleInput): Breach[] {
  const connection = draft.client?.connection
  if (connection?.http_version !== '2') return []
  const path = [...CONNECTION, 'http_version']
  if (connection.proxy !== undefined) return [{ path, message: 'HTTP/2 is not spoken through a proxy' }]
  const deploy = draft.engine?.deploy
  const urls = deploy?.kind === 'endpoint' ? (deploy.urls ?? []) : []
  const isPlain = deploy?.kind === 'docker' || deploy?.kind === 'process' || urls.some((url) => !/^https:/i.test(url))
  return isPlain ? [{ path, message: 'HTTP/2 is spoken over TLS alone, and the engines are reached without it' }] : []
}

function proxyNowhere({ draft }: RuleInput): Breach[] {
  const kind = draft.engine?.deploy?.kind
  if (draft.client?.connection?.proxy === undefined || (kind !== 'docker' && kind !== 'process')) return []
  const message = 'the engines run on this machine, and would be reached through a proxy'
  return [{ path: [...CONNECTION, 'proxy'], message }]
}

const error = { level: 'valid', severity: 'error' } as const

export const CONNECTION_RULES: readonly Rule[] = [
  {
    id: 'header-owned',
    title: 'A header belongs to the client',
    ...error,
    why: 'It frames the request, names it, or says how the stream comes: another value breaks what is measured.',
    mend: 'Remove it from client.connection.headers (or name another session header).',
    check: ownedHeaders,
  },
  {
    id: 'header-secret',
    title: 'A header would hold a secret',
    ...error,
    why: 'Manifests are committed, hashed and copied into every pack.',
    mend: 'Name the environment variable of a bearer token in client.connection.bearer_token_env.',
    check: secretHeaders,
  },
  {
    id: 'header-twice',
    title: 'Two headers have one name',
    ...error,
    why: 'Names of headers have no case: which of the two an engine takes is its own affair.',
    mend: 'Remove one of them.',
    check: headersTwice,
  },
  {
    id: 'http2-out-of-reach',
    title: 'HTTP/2 cannot be spoken there',
    ...error,
    why: 'It is agreed on in the TLS handshake with the engine itself.',
    mend: 'Set http_version to "1.1", or reach the engines by https:// URLs and without a proxy.',
    check: noHttp2,
  },
  {
    id: 'proxy-to-own-machine',
    title: 'Engines on this machine are reached through a proxy',
    level: 'valid',
    severity: 'warning',
    why: 'The proxy’s own queue and delay would be measured as the engine’s.',
    mend: 'Remove client.connection.proxy.',
    check: proxyNowhere,
  },
]
