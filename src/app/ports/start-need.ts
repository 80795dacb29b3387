/** What was found of one need; the text of why not names what is there. */
export type NeedAnswer = { pass: string } | { fail: string } | { unknown: string }

/** One thing that a manifest needs of the machine before its engine can be started. Looked at, never changed. */
export interface StartNeed {
  probe: 'docker' | 'image' | 'weights' | 'program' | 'ports'
  look(signal: AbortSignal): Promise<NeedAnswer>
}
