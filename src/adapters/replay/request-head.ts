/**
 * A POST's head as it goes on the wire, a character a byte.
 *
 * @throws TypeError for what would change the head's lines: a control character, or one beyond Latin-1
 */
export function requestHead(host: string, path: string, headers: readonly string[], bodyBytes: number): string {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  for (let index = 0; index + 1 < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`
  const lines = 3 + headers.length / 2
  if (/[^\r\n\t\x20-\x7e\x80-\xff]/.test(head) || head.split(/[\r\n]/).length !== 2 * lines + 1) {
    throw new TypeError('a control character in the head of a request')
  }
  return `${head}content-length: ${bodyBytes}\r\n\r\n`
}
