import { gunzipSync, gzipSync } from 'fflate'
import { z } from 'zod'
import type { CapacityRecord } from '../../capacity/record.ts'
import type { Verdict } from '../../gate/verdict.ts'
import { EXIT, GateError } from '../../kernel/errors.ts'
import { sha256Hex } from '../../kernel/hash.ts'
import { shaped, shapedSchema, unshaped } from './shapes.ts'

export const DATA_ID = 'capacity-gate-report'

/** Bytes that become one string at a time: a call takes no more arguments. */
const STEP = 8192
const LEVEL = 9
const ENCODING = 'shapes+gzip+base64'

const dataSchema = z.looseObject({
  schema: z.literal(1),
  capacity: z.looseObject({ encoding: z.literal(ENCODING), sha256: z.string(), content: z.string() }),
})

/**
 * What the page holds beside what it shows: the verdict, and the record of capacity.json. That is packed, since of a large pack it is four
 * times the page: by shapes, gzip, base64. `sha256` is of the file itself, with two spaces and a line feed at its end.
 */
export function reportData(record: CapacityRecord, verdict: Verdict): unknown {
  const bytes = new TextEncoder().encode(JSON.stringify(shaped(record)))
  const packed = gzipSync(bytes, { level: LEVEL, mtime: 0 })
  let binary = ''
  for (let from = 0; from < packed.length; from += STEP) {
    binary += String.fromCharCode(...packed.subarray(from, from + STEP))
  }
  const capacity = {
    file: 'capacity.json',
    encoding: ENCODING,
    sha256: sha256Hex(fileText(record)),
    content: btoa(binary),
  }
  return { schema: 1, capacity, verdict }
}

/**
 * The text of capacity.json out of a report's page.
 *
 * @throws GateError `report_damaged` (exit 4) where the page holds no such data, or another file's than it says
 */
export function readReportData(html: string): string {
  const start = `<script type="application/json" id="${DATA_ID}">`
  const from = html.indexOf(start)
  const to = html.indexOf('</script>', from)
  if (from < 0 || to < 0) throw damaged('it has no data block')
  try {
    const { capacity } = dataSchema.parse(JSON.parse(html.slice(from + start.length, to)))
    const packed = Uint8Array.from(atob(capacity.content), (character) => character.charCodeAt(0))
    const text = fileText(
      unshaped(shapedSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(gunzipSync(packed))))),
    )
    if (sha256Hex(text) !== capacity.sha256) throw damaged('capacity.json is another one than its digest says')
    return text
  } catch (cause) {
    throw cause instanceof GateError ? cause : damaged('its data block cannot be read', cause)
  }
}

/** As the pack writes it. */
function fileText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function damaged(what: string, cause?: unknown): GateError {
  return new GateError({
    code: 'report_damaged',
    message: `the report’s page: ${what}`,
    hint: 'take report.html from the run that wrote it',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
