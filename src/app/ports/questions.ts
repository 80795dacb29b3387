/** One question to a person. */
export interface Question {
  /** On one line, without a mark at its end. */
  text: string
  /** What an empty answer stands for; null where there must be one. */
  usual: string | null
  /** Why an answer will not do, in a sentence; null where it does. */
  refusal(answer: string): Promise<string | null> | string | null
}

/** Asks a person at a terminal, as often as it takes. Throws GateError `interrupted` where the person ends it. */
export interface Questions extends Disposable {
  ask(question: Question): Promise<string>
}
