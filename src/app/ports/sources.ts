/** A file that a manifest names: what it is called in messages, with its article, and where it is. */
export interface SourceFile {
  what: string
  /** As the manifest has it: relative to the manifest's folder. */
  path: string
}

export interface Source {
  /** Its content in pieces, expanded where the file is compressed by gzip. Throws GateError, exit 4, where it cannot be read. */
  chunks: AsyncIterable<Uint8Array>
  /** SHA-256 of the file's bytes as they stand: once all chunks were taken. */
  sha256(): string
}

/**
 * Files beside the manifest. A manifest may come from anyone, so that only regular files are read that lie, links followed, in the
 * manifest's folder or in the working folder; any other is refused with `source_refused` (exit 4).
 */
export interface Sources {
  open(file: SourceFile): Source
}
