/** How the program ends. 0 held or improved · 1 the tool failed · 2 regressed · 3 inconclusive · 4 invalid · 64 usage. */
export const EXIT = {
  ok: 0,
  failed: 1,
  regressed: 2,
  inconclusive: 3,
  invalid: 4,
  usage: 64,
  sigint: 130,
  sigterm: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface GateErrorInit {
  /** Stable, snake_case: what tests and scripts match on. */
  code: string
  /** What happened, and where: one line. */
  message: string
  /** How to mend it: one line. */
  hint: string
  exitCode?: ExitCode
  cause?: unknown
}

/** A failure a user can meet. Verdicts and findings are values, never errors. */
export class GateError extends Error {
  readonly code: string
  readonly hint: string
  readonly exitCode: ExitCode

  constructor(init: GateErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause })
    this.name = 'GateError'
    this.code = init.code
    this.hint = init.hint
    this.exitCode = init.exitCode ?? EXIT.failed
  }
}
