/** Where a history's lines are kept: one text, that is added to and now and then compacted. */
export interface HistoryStore {
  /** For people: where it is. */
  readonly location: string
  /** The whole text; empty where nothing was ever added. Throws GateError `file_too_large` and the like. */
  read(): Promise<string>
  /**
   * Puts the text that `change` makes of the present one in its place: whole, and as if no one else wrote meanwhile. `change` may
   * be called again where another got in between, so it does nothing but compute; and of a text that holds its own change, where an answer
   * was lost on the way. Whatever comes back unchanged is not written. `note` says in a line what is done, for a place that keeps that.
   */
  update(change: (text: string) => string, note: string): Promise<void>
}
