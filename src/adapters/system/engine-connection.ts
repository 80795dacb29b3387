import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { SecretMask } from './secret-mask.ts'
import { secretMask } from './secret-mask.ts'

/** How engines are reached, with what the manifest only names: the token and the certificates themselves. */
export interface EngineConnection {
  httpVersion: '1.1' | '2'
  /** Headers of every request, the token's among them. */
  headers: Readonly<Record<string, string>>
  /** PEM certificates that are trusted beside the usual ones. */
  ca: string | null
  proxy: string | null
  /** Takes the token out of what an engine says. */
  secrets: SecretMask
}

/** Nothing but the defaults. */
export const PLAIN_CONNECTION: EngineConnection = {
  httpVersion: '1.1',
  headers: {},
  ca: null,
  proxy: null,
  secrets: secretMask([]),
}

/** Node trusts a given list alone: the usual ones are given again. */
export function trusted(ca: string): string[] {
  return [...rootCertificates, ca]
}

const LARGEST_TOKEN = 16 * 1024

/**
 * Reads what `client.connection` names: the token from the environment, the certificates from their file beside the manifest.
 *
 * @throws GateError `bearer_token_missing`, `bearer_token_invalid`, `ca_file_invalid` (exit 4)
 */
export async function readEngineConnection(
  { client }: Manifest,
  around: { env: Readonly<Record<string, string | undefined>>; folder: string },
): Promise<EngineConnection> {
  const { connection } = client
  const name = connection.bearer_token_env
  const token = name === undefined ? null : bearerToken(name, around.env[name])
  return {
    httpVersion: connection.http_version,
    headers: { ...connection.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ca: connection.ca_file === undefined ? null : await certificates(resolve(around.folder, connection.ca_file)),
    proxy: connection.proxy ?? null,
    secrets: secretMask(token === null ? [] : [token]),
  }
}

function bearerToken(name: string, value: string | undefined): string {
  const token = value?.trim() ?? ''
  if (token === '') {
    throw new GateError({
      code: 'bearer_token_missing',
      message: `client.connection.bearer_token_env names ${name}, which is not set`,
      hint: `set ${name} in the environment of this process; in a workflow by env, from a secret`,
      exitCode: EXIT.invalid,
    })
  }
  // A token of other characters could end the header, and its text must not be shown.
  if (token.length > LARGEST_TOKEN || !/^[\x21-\x7e]+$/.test(token)) {
    throw new GateError({
      code: 'bearer_token_invalid',
      message: `the value of ${name} is no bearer token: it has blanks, line ends or other characters that no header holds`,
      hint: `set ${name} to the bare token`,
      exitCode: EXIT.invalid,
    })
  }
  return token
}

async function certificates(path: string): Promise<string> {
  const invalid = (what: string, cause?: unknown): GateError =>
    new GateError({
      code: 'ca_file_invalid',
      message: `client.connection.ca_file ${path}: ${what}`,
      hint: 'name a file of PEM certificates, relative to the manifest',
      exitCode: EXIT.invalid,
      cause,
    })
  let pem: string
  try {
    pem = await readFile(path, 'utf8')
  } catch (cause) {
    throw invalid((cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'cannot be read', cause)
  }
  if (pem.includes('PRIVATE KEY')) throw invalid('holds a private key, which has no place here')
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw invalid('holds no certificate')
  for (const [index, certificate] of found.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (cause) {
      throw invalid(`its certificate ${index + 1} of ${found.length} cannot be read`, cause)
    }
  }
  return pem
}
