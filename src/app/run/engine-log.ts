import type { Pack } from '../ports/pack.ts'

export interface EngineLog extends AsyncDisposable {
  write(chunk: string): void
}

/** engine.log of the pack: what every engine of the run printed. */
export async function openEngineLog(pack: Pack): Promise<EngineLog> {
  const sink = await pack.appendLines('engine.log')
  return {
    write: (chunk) => sink.write(chunk.endsWith('\n') ? chunk.slice(0, -1) : chunk),
    [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
  }
}
