import type { Dialect } from '../../dialect/dialect.ts'
import type { JsonValue } from '../../kernel/canonical.ts'
import type { Breach, RuleText } from '../finding.ts'
import type { Draft } from '../salvage.ts'

export interface RuleInput {
  /** What of the document is well-formed, defaults filled in. */
  draft: Draft
  /** The document as it stands. */
  raw: JsonValue
  dialect: Dialect
}

/** A lint rule: what its page says, and its check. */
export interface Rule extends RuleText {
  check(input: RuleInput): readonly Breach[]
}
