import { readAiperf } from './aiperf.ts'
import { readGuidellm } from './guidellm.ts'
import type { ImportedFile, ImportReading } from './imported-request.ts'
import type { Importer } from './importer.ts'
import { readInferencePerf } from './inference-perf.ts'
import type { JsonDocument } from './json-documents.ts'
import { jsonDocuments } from './json-documents.ts'
import { requireTool } from './looks-like.ts'
import { refusal } from '../refusal.ts'
import { readSglang } from './sglang.ts'
import type { ImportTool } from './tool.ts'
import { readVllm } from './vllm.ts'

const IMPORTERS: Record<ImportTool, Importer> = {
  aiperf: readAiperf,
  vllm: readVllm,
  sglang: readSglang,
  guidellm: readGuidellm,
  'inference-perf': readInferencePerf,
}

/** A point has tens of thousands; each takes about a kilobyte of memory here. */
const MAX_LINES = 1_000_000

/**
 * Reads another tool's file of requests. JSON Lines are read line by line; a file that is one JSON value is held whole, up to 256 MiB.
 *
 * @throws GateError, exit 4, `import_…`, with the file and the place: another tool's file, no or cut-off JSON, a shape that the format
 * does not have, several runs and none named, arrays that do not align, negative spans.
 */
export function readImport(
  tool: ImportTool,
  source: AsyncIterable<Uint8Array>,
  reading: ImportReading,
): Promise<ImportedFile> {
  return IMPORTERS[tool](ofTool(tool, jsonDocuments(source, reading.file), reading.file), reading)
}

async function* ofTool(
  tool: ImportTool,
  documents: AsyncIterable<JsonDocument>,
  file: string,
): AsyncGenerator<JsonDocument, void, undefined> {
  let count = 0
  for await (const document of documents) {
    if (count === 0) requireTool(tool, document.value, file)
    if (++count > MAX_LINES) {
      const hint = 'measure shorter points, or import a part of the file'
      throw refusal(file, { code: 'import_too_large', what: `it holds more than ${MAX_LINES} lines`, hint })
    }
    yield document
  }
}
