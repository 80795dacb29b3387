import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonDocuments } from '../../../../src/core/record/import/json-documents.ts'
import { bytesOf } from './import-value.ts'

async function read(text: string, size?: number, maximumBytes?: number) {
  const found: { line: number; value: unknown }[] = []
  for await (const document of jsonDocuments(bytesOf(text, size), 'f.json', maximumBytes)) found.push(document)
  return found
}

/** JSON as Python writes it: a number that is none stands bare. */
const python = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' && !Number.isFinite(part) ? `\u{1}${String(part)}\u{1}` : part,
  ).replaceAll(/"\\u0001(.*?)\\u0001"/g, '$1')

const asNull = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const value = fc.dictionary(
  fc.string(),
  fc.oneof(
    fc.double(),
    fc.string().filter((text) => !text.includes('\u{1}')),
    fc.constantFrom('NaN', 'a "NaN" b', '\\', 'Infinity\\"', '-Infinity'),
    fc.array(fc.oneof(fc.double(), fc.constant(Number.POSITIVE_INFINITY), fc.constant(Number.NaN))),
  ),
)

it('reads one value a line, bare NaN and Infinity as null, whatever the pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (values, size) => {
        const text = values.map(python).join('\n')
        expect(await read(text, size)).toEqual(values.map((each, i) => ({ line: i + 1, value: asNull(each) })))
      },
    ),
  )
})

it('reads one value over many lines', async () => {
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 40 }), async (each, size) => {
      expect(await read(`\n${JSON.stringify([each], null, 2)}\n`, size)).toEqual([{ line: 2, value: asNull([each]) }])
    }),
  )
})

it('never throws anything but a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'NaN', '\n', 'e') }),
      async (text) => {
        const ended = await read(text).then(
          () => 'import_read',
          (error: { code: string }) => error.code,
        )
        expect(ended).toMatch(/^import_/)
      },
    ),
  )
})

it('takes a byte order mark and the line ends of Windows', async () => {
  expect(await read('\u{feff}{"a":1}\r\n{"a":2}\r\n')).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 2, value: { a: 2 } },
  ])
})

it('holds one line at a time: the limit is of a value, not of the file', async () => {
  const line = JSON.stringify({ text: 'x'.repeat(100) })
  const many = Array.from({ length: 50 }, () => line).join('\n')
  expect(await read(many, 64, 150)).toHaveLength(50)
  await expect(read(many, 64, 100)).rejects.toMatchObject({ code: 'import_too_large' })
  const whole = JSON.stringify([JSON.parse(line), JSON.parse(line)], null, 2)
  await expect(read(whole, 64, 150)).rejects.toMatchObject({ code: 'import_too_large' })
})
