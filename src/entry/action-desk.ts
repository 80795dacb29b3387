import type { IssueTracker } from '../app/ports/issue-tracker.ts'
import type { Publisher } from '../app/ports/publisher.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { ActionOutputs } from './action-outputs.ts'
import type { Surroundings } from './compose.ts'
import type { EventFacts } from './event-facts.ts'

/** What the action is given and may do. */
export interface ActionDesk extends Surroundings {
  input(name: string): string
  /** Throws GateError where the runner's event cannot be read. */
  readonly facts: EventFacts
  /** The runner's own debug logging is on. */
  isDebug: boolean
  setOutputs(outputs: ActionOutputs): void
  /** Masks a value in every later line of the log. */
  setSecret(value: string): void
  /** Keeps a word for the step's own post step, by the runner. */
  saveState(name: string, value: string): void
  /** Where the result is shown. Null: an input could not be read, so nothing is known of comments. */
  publisher(inputs: ActionInputs | null): Publisher
  /** Where drifts are told as issues. */
  issueTracker(inputs: ActionInputs): IssueTracker
}
