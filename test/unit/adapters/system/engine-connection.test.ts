import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEngineConnection, trusted } from '../../../../src/adapters/system/engine-connection.ts'
import { engineOrigin } from '../../../../src/adapters/system/engine-origin.ts'
import { testShape } from '../../../contract/replay/shape.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connection-'))
  const ca = await readFile(new URL('../../../../fixtures/tls/ca.pem', import.meta.url), 'utf8')
  await writeFile(join(folder, 'ca.pem'), ca)
  await writeFile(join(folder, 'cut.pem'), `${ca}-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n`)
  await writeFile(join(folder, 'key.pem'), '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n')
  await writeFile(join(folder, 'text.pem'), 'hello')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = (connection: Record<string, unknown>, env: Record<string, string> = {}) =>
  readEngineConnection(testShape({ client: { connection } }).manifest, { env, folder })

describe('what the manifest names of a connection', () => {
  it('is nothing by default', async () => {
    expect(await read({})).toMatchObject({ httpVersion: '1.1', headers: {}, ca: null, proxy: null })
  })

  it('is read: the token from the environment, the certificates from beside the manifest', async () => {
    const named = { bearer_token_env: 'TOKEN', ca_file: 'ca.pem', headers: { 'x-tenant': 'gate' }, http_version: '2' }
    const connection = await read(named, { TOKEN: ' s3cret\n' })
    expect(connection.headers).toEqual({ 'x-tenant': 'gate', authorization: 'Bearer s3cret' })
    expect(connection.ca).toContain('BEGIN CERTIFICATE')
    expect(connection.httpVersion).toBe('2')
    expect(connection.secrets.mask('who is s3cret?')).toBe('who is ***?')
  })

  it.each([
    ['bearer_token_missing', { bearer_token_env: 'TOKEN' }, {}, /TOKEN, which is not set/],
    ['bearer_token_missing', { bearer_token_env: 'TOKEN' }, { TOKEN: ' ' }, /TOKEN, which is not set/],
    ['bearer_token_invalid', { bearer_token_env: 'TOKEN' }, { TOKEN: 'a\r\nx-admin: 1' }, /the value of TOKEN is no/],
    ['ca_file_invalid', { ca_file: 'absent.pem' }, {}, /absent\.pem: is not there/],
    ['ca_file_invalid', { ca_file: '.' }, {}, /cannot be read/],
    ['ca_file_invalid', { ca_file: 'text.pem' }, {}, /holds no certificate/],
    ['ca_file_invalid', { ca_file: 'key.pem' }, {}, /private key/],
    ['ca_file_invalid', { ca_file: 'cut.pem' }, {}, /its certificate 2 of 2 cannot be read/],
  ])('is refused as %s', async (code, named, env, message) => {
    const refused = read(named, env as Record<string, string>)
    await expect(refused).rejects.toMatchObject({ code, exitCode: 4 })
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.not.toThrow('x-admin')
  })
})

it('certificates of one’s own are trusted beside the usual ones, not in their place', () => {
  expect(trusted('mine')).toEqual([...rootCertificates, 'mine'])
})

describe('an endpoint', () => {
  it.each([
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000'],
    ['https://gateway.example/llm/', 'https://gateway.example/llm'],
    ['http://[::1]:8000', 'http://[::1]:8000'],
    ['unix:/run/engine.sock', 'unix:/run/engine.sock'],
    ['unix:///run/engine.sock', 'unix:/run/engine.sock'],
    [`unix:/${'a'.repeat(106)}`, `unix:/${'a'.repeat(106)}`],
  ])('%s is %s', (text, origin) => expect(engineOrigin(text)).toBe(origin))

  it.each([
    'ftp://x',
    'http://u:p@x',
    'http://x?q',
    'unix:',
    'unix:relative',
    'unix:/a?b',
    'unix:/a\0b',
    `unix:/${'ä'.repeat(54)}`,
    'x',
  ])('%j is none', (text) =>
    expect(() => engineOrigin(text)).toThrow(expect.objectContaining({ code: 'endpoint_invalid' })),
  )
})
