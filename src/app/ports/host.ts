/** The machine: what must be equal between two capacities, and what is only recorded. Unreadable values are `unknown`. */
export interface Host {
  probe(gpus: number): Promise<{ mustEqual: Record<string, string>; recorded: Record<string, string> }>
  /** The commit under test, where the environment or the checkout tells it. */
  commit(): Promise<string | null>
}
