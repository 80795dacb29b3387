import type { Pack } from '../ports/pack.ts'

export interface EngineLog extends AsyncDisposable {
  write(chunk: string): void
}

/** Of all boots of a run: far below the largest file that a pack is read with. */
const LOG_LIMIT_CHARACTERS = 128 * 1024 * 1024

/** engine.log of the pack: what every engine of the run printed. */
export async function openEngineLog(pack: Pack): Promise<EngineLog> {
  const sink = await pack.appendLines('engine.log')
  let written = 0
  return {
    write(chunk) {
      if (written > LOG_LIMIT_CHARACTERS) return
      written += chunk.length
      sink.write(chunk.endsWith('\n') ? chunk.slice(0, -1) : chunk)
      if (written > LOG_LIMIT_CHARACTERS) sink.write('[log cut: the engines of this run printed too much]')
    },
    [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
  }
}
