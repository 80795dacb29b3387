/** What a server says on a connection, then closes its side; and what is to be made of it. */
export interface SpokenAnswer {
  name: string
  bytes: string
  /** Status and body of the answer, or why there is none. */
  expected: { status: number; body: string; reusable: boolean } | { failure: string; status?: number; body?: string }
  /** What undici, whose parser is llhttp, makes of the same bytes; left out where it must be the same. */
  llhttp?: 'refuses' | 'accepts'
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`
const big = (bytes: number) => `x-big: ${'a'.repeat(bytes - 9)}\r\n`

const whole = (body: string, reusable = true, status = 200) => ({ status, body, reusable })
const bad = { failure: 'bad_http' }
const badBody = (body = '') => ({ failure: 'bad_http', status: 200, body })
const cut = (body: string) => ({ failure: 'connection_reset', status: 200, body })

const legal: SpokenAnswer[] = [
  { name: 'a length', bytes: `${OK}content-length: 5\r\n\r\nhello`, expected: whole('hello') },
  {
    name: 'a length in capitals, blanks around it',
    bytes: `${OK}CONTENT-LENGTH:\t 5 \t\r\n\r\nhello`,
    expected: whole('hello'),
    llhttp: 'refuses',
  },
  { name: 'a length of nothing', bytes: `${OK}content-length: 0\r\n\r\n`, expected: whole('') },
  { name: 'chunks', bytes: `${CHUNKED}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`, expected: whole('hello world') },
  {
    name: 'chunks in capitals, zeros before',
    bytes: `${CHUNKED}0000A\r\n0123456789\r\n00\r\n\r\n`,
    expected: whole('0123456789'),
  },
  { name: 'a coding in capitals', bytes: `${OK}Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`, expected: whole('') },
  { name: 'chunk extensions', bytes: `${CHUNKED}2;a=b;c="d;e"\r\nhi\r\n0;z\r\n\r\n`, expected: whole('hi') },
  { name: 'a trailer', bytes: `${CHUNKED}2\r\nhi\r\n0\r\nx-sum: 1\r\nx-more:\r\n\r\n`, expected: whole('hi') },
  { name: 'a body until the end', bytes: `${OK}\r\nhello`, expected: whole('hello', false) },
  {
    name: 'a close asked for',
    bytes: `${OK}connection: close\r\ncontent-length: 2\r\n\r\nhi`,
    expected: whole('hi', false),
  },
  {
    name: 'a close among others',
    bytes: `${OK}connection: x, Close\r\ncontent-length: 2\r\n\r\nhi`,
    expected: whole('hi', false),
  },
  { name: 'no reason phrase', bytes: 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi', expected: whole('hi') },
  { name: 'an empty reason phrase', bytes: 'HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nhi', expected: whole('hi') },
  { name: 'HTTP/1.0', bytes: 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi', expected: whole('hi', false) },
  {
    name: 'HTTP/1.0 kept',
    bytes: 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nhi',
    expected: whole('hi'),
  },
  { name: 'no content', bytes: 'HTTP/1.1 204 No Content\r\n\r\n', expected: whole('', true, 204) },
  {
    name: 'not modified, with a length',
    bytes: 'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n',
    expected: whole('', true, 304),
  },
  { name: 'an unknown status', bytes: 'HTTP/1.1 599 ?\r\ncontent-length: 1\r\n\r\nx', expected: whole('x', true, 599) },
  {
    name: 'early hints first',
    bytes: `HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n${OK}content-length: 2\r\n\r\nhi`,
    expected: whole('hi'),
  },
  { name: 'an empty field', bytes: `${OK}x-empty:\r\ncontent-length: 2\r\n\r\nhi`, expected: whole('hi') },
  {
    name: 'bytes beyond ASCII in a value',
    bytes: `${OK}x-name: caf\u00e9\r\ncontent-length: 2\r\n\r\nhi`,
    expected: whole('hi'),
  },
  {
    name: 'headers of just 64 KiB',
    bytes: `${OK}${big(65_536 - 23)}content-length: 2\r\n\r\nhi`,
    expected: whole('hi'),
  },
]

const cutOff: SpokenAnswer[] = [
  { name: 'nothing', bytes: '', expected: { failure: 'connection_reset' } },
  { name: 'half a status line', bytes: 'HTTP/1.1 2', expected: { failure: 'connection_reset' } },
  { name: 'half the headers', bytes: `${OK}content-`, expected: { failure: 'connection_reset' } },
  { name: 'early hints alone', bytes: 'HTTP/1.1 103 Early Hints\r\n\r\n', expected: { failure: 'connection_reset' } },
  { name: 'less than the length', bytes: `${OK}content-length: 5\r\n\r\nhel`, expected: cut('hel') },
  { name: 'half a chunk', bytes: `${CHUNKED}5\r\nhel`, expected: cut('hel') },
  { name: 'no last chunk', bytes: `${CHUNKED}2\r\nhi\r\n`, expected: cut('hi') },
  { name: 'half a trailer', bytes: `${CHUNKED}2\r\nhi\r\n0\r\nx`, expected: cut('hi') },
]

const illegalHeads: SpokenAnswer[] = [
  { name: 'another protocol', bytes: 'SSH-2.0-OpenSSH_9.9\r\n', expected: bad },
  { name: 'HTTP/2.0', bytes: 'HTTP/2.0 200 OK\r\ncontent-length: 2\r\n\r\nhi', expected: bad, llhttp: 'accepts' },
  { name: 'HTTP/1.2', bytes: 'HTTP/1.2 200 OK\r\ncontent-length: 2\r\n\r\nhi', expected: bad },
  { name: 'a blank line first', bytes: `\r\n${OK}content-length: 2\r\n\r\nhi`, expected: bad, llhttp: 'accepts' },
  { name: 'a status of two digits', bytes: 'HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\nhi', expected: bad },
  { name: 'a status of four digits', bytes: 'HTTP/1.1 2000 OK\r\ncontent-length: 2\r\n\r\nhi', expected: bad },
  {
    name: 'a status below 100',
    bytes: 'HTTP/1.1 099 OK\r\ncontent-length: 2\r\n\r\nhi',
    expected: bad,
  },
  { name: 'two blanks before the status', bytes: 'HTTP/1.1  200 OK\r\ncontent-length: 2\r\n\r\nhi', expected: bad },
  { name: 'line feeds alone', bytes: 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi', expected: bad },
  { name: 'one line feed alone', bytes: `${OK}content-length: 2\n\r\nhi`, expected: bad },
  { name: 'a carriage return alone', bytes: `${OK}x-a: b\rc\r\ncontent-length: 2\r\n\r\nhi`, expected: bad },
  { name: 'a zero byte in a value', bytes: `${OK}x-a: b\0c\r\ncontent-length: 2\r\n\r\nhi`, expected: bad },
  { name: 'a folded line', bytes: `${OK}x-a: b\r\n c\r\ncontent-length: 2\r\n\r\nhi`, expected: bad },
  { name: 'a blank before the colon', bytes: `${OK}content-length : 2\r\n\r\nhi`, expected: bad },
  { name: 'a blank before the first name', bytes: `${OK} x-a: b\r\ncontent-length: 2\r\n\r\nhi`, expected: bad },
  { name: 'no colon', bytes: `${OK}content-length\r\n\r\nhi`, expected: bad },
  { name: 'no name', bytes: `${OK}: 2\r\n\r\nhi`, expected: bad },
  { name: 'two lengths', bytes: `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nhi!`, expected: bad },
  { name: 'the same length twice', bytes: `${OK}content-length: 2\r\ncontent-length: 2\r\n\r\nhi`, expected: bad },
  { name: 'two lengths in one', bytes: `${OK}content-length: 2, 2\r\n\r\nhi`, expected: bad },
  { name: 'a negative length', bytes: `${OK}content-length: -2\r\n\r\nhi`, expected: bad },
  { name: 'a signed length', bytes: `${OK}content-length: +2\r\n\r\nhi`, expected: bad },
  { name: 'a length in hexadecimal', bytes: `${OK}content-length: 0x2\r\n\r\nhi`, expected: bad },
  { name: 'no length in its field', bytes: `${OK}content-length:\r\n\r\nhi`, expected: bad },
  { name: 'a length without end', bytes: `${OK}content-length: ${'9'.repeat(40)}\r\n\r\nhi`, expected: bad },
  {
    name: 'a length and chunks',
    bytes: `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    expected: bad,
  },
  {
    name: 'chunks and a length',
    bytes: `${OK}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n`,
    expected: bad,
  },
  {
    name: 'chunked twice',
    bytes: `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    expected: bad,
    llhttp: 'accepts',
  },
  {
    name: 'chunked, chunked',
    bytes: `${OK}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    expected: bad,
    llhttp: 'accepts',
  },
  {
    name: 'another coding',
    bytes: `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    expected: bad,
    llhttp: 'accepts',
  },
  {
    name: 'a coding that is none',
    bytes: `${OK}transfer-encoding: xchunked\r\n\r\nhi`,
    expected: bad,
    llhttp: 'accepts',
  },
  {
    name: 'chunks in HTTP/1.0',
    bytes: 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    expected: bad,
    llhttp: 'accepts',
  },
  {
    name: 'another protocol from here on',
    bytes: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    expected: bad,
  },
  {
    name: 'headers over 64 KiB',
    bytes: `${OK}${big(66_560)}content-length: 2\r\n\r\nhi`,
    expected: { failure: 'headers_too_large' },
  },
  {
    name: 'early hints over 64 KiB',
    bytes: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3000),
    expected: { failure: 'headers_too_large' },
  },
]

const illegalBodies: SpokenAnswer[] = [
  { name: 'no chunk size', bytes: `${CHUNKED}\r\nhi\r\n0\r\n\r\n`, expected: badBody() },
  { name: 'a chunk size that is none', bytes: `${CHUNKED}2\r\nhi\r\nzz\r\n`, expected: badBody('hi') },
  { name: 'a negative chunk size', bytes: `${CHUNKED}-2\r\nhi\r\n`, expected: badBody() },
  { name: 'a chunk size in another notation', bytes: `${CHUNKED}0x2\r\nhi\r\n0\r\n\r\n`, expected: badBody() },
  { name: 'a chunk size beyond all numbers', bytes: `${CHUNKED}${'f'.repeat(17)}\r\nhi`, expected: badBody() },
  { name: 'a blank after the size', bytes: `${CHUNKED}2 \r\nhi\r\n0\r\n\r\n`, expected: badBody() },
  { name: 'a line feed alone after the size', bytes: `${CHUNKED}2\nhi\r\n0\r\n\r\n`, expected: badBody() },
  { name: 'a line feed alone after the data', bytes: `${CHUNKED}2\r\nhi\n0\r\n\r\n`, expected: badBody('hi') },
  { name: 'more data than its size', bytes: `${CHUNKED}2\r\nhis\r\n0\r\n\r\n`, expected: badBody('hi') },
  { name: 'a line feed in an extension', bytes: `${CHUNKED}2;a\n\r\nhi\r\n0\r\n\r\n`, expected: badBody() },
  {
    name: 'an extension without end',
    bytes: `${CHUNKED}2;${'a'.repeat(2000)}\r\nhi\r\n0\r\n\r\n`,
    expected: badBody(),
    llhttp: 'accepts',
  },
  { name: 'a trailer that is none', bytes: `${CHUNKED}0\r\nno colon\r\n\r\n`, expected: badBody() },
  {
    name: 'a trailer over 64 KiB',
    bytes: `${CHUNKED}0\r\n${big(67_000)}\r\n`,
    expected: { failure: 'headers_too_large', status: 200, body: '' },
  },
]

/** Bytes after the end: the answer stands, and the connection is not used again. */
const tooMuch: SpokenAnswer[] = [
  {
    name: 'bytes after the length',
    bytes: `${OK}content-length: 2\r\n\r\nhi!`,
    expected: whole('hi', false),
    llhttp: 'accepts',
  },
  { name: 'bytes after the last chunk', bytes: `${CHUNKED}0\r\n\r\nx`, expected: whole('', false), llhttp: 'accepts' },
  {
    name: 'another answer that nothing asked for',
    bytes: `${OK}content-length: 2\r\n\r\nhi${OK}content-length: 1\r\n\r\nx`,
    expected: whole('hi', false),
    llhttp: 'accepts',
  },
]

export const spokenAnswers: SpokenAnswer[] = [...legal, ...cutOff, ...illegalHeads, ...illegalBodies, ...tooMuch]
