import type { GateError } from '../../core/kernel/errors.ts'

/** A sink of lines that are on disk soon after they are written. */
export interface LineSink extends AsyncDisposable {
  write(line: string): void
  /** What ended the sink (`disk_full` …): nothing is kept from then on. Null while it holds. */
  readonly failure: GateError | null
  /** Resolves when everything written so far was handed to the operating system. Throws GateError `disk_full` and the like. */
  flush(): Promise<void>
}

/** The pack's folder. Paths are relative, with `/`; a path that leaves the folder is refused. Writes are atomic (temp + rename). */
export interface Pack {
  /** For people: where it is. */
  readonly location: string
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Gzip with a fixed header, so that equal content gives equal bytes. */
  writeGzip(path: string, content: string | Uint8Array): Promise<void>
  /** Puts `<path>.gz` in place of a file, whatever its size; the same fixed header. Nothing where there is no such file. */
  gzip(path: string): Promise<void>
  /** Null where there is no such file. Throws GateError `file_too_large`, `file_unreadable`. */
  read(path: string): Promise<Uint8Array | null>
  readGzip(path: string): Promise<Uint8Array | null>
  /** Every file below a folder (`.` for the whole pack), sorted, relative to the pack. */
  list(folder: string): Promise<readonly string[]>
  remove(path: string): Promise<void>
  appendLines(path: string): Promise<LineSink>
}
