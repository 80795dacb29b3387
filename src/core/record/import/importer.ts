import type { ImportedFile, ImportReading } from './imported-request.ts'
import type { JsonDocument } from './json-documents.ts'

/** Reads one tool's file from its JSON values. Throws GateError, exit 4, for what is not of the tool's format, with its place. */
export type Importer = (documents: AsyncIterable<JsonDocument>, reading: ImportReading) => Promise<ImportedFile>
