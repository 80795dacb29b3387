import type { RuleText } from './finding.ts'

const error = { level: 'valid', severity: 'error' } as const

/** What the schema itself asks. */
export const SCHEMA_RULES = {
  missing: {
    id: 'missing-field',
    title: 'A field that must be stated is missing',
    ...error,
    why: 'Everything that shapes the result is frozen in the manifest; only what has one sensible value has a default.',
    mend: 'State the field.',
  },
  unknown: {
    id: 'unknown-field',
    title: 'A key is not known',
    ...error,
    why: 'A misspelt key would silently leave its default in force.',
    mend: 'Correct the key or remove it.',
  },
  type: {
    id: 'wrong-type',
    title: 'A value has the wrong type',
    ...error,
    why: 'A number, text, list or mapping stands where another is expected.',
    mend: 'Write the value in the form that the message names.',
  },
  range: {
    id: 'out-of-range',
    title: 'A value is outside its range',
    ...error,
    why: 'The value cannot mean anything: a share above 1, a negative duration, an empty list.',
    mend: 'Choose a value inside the range.',
  },
  choice: {
    id: 'not-a-choice',
    title: 'A value is none of the allowed ones',
    ...error,
    why: 'The field has a fixed set of values.',
    mend: 'Choose one of the values that the message lists.',
  },
  format: {
    id: 'wrong-format',
    title: 'A text has the wrong form',
    ...error,
    why: 'Names end up in files, tables and environment; URLs are asked as they stand.',
    mend: 'Write it in the form that the message names.',
  },
  overrideNotSubject: {
    id: 'override-not-subject',
    title: "The subject override touches a field that is not the subject's",
    ...error,
    why: 'An override is for trying another engine. If it could change the experiment, two capacities would no longer compare.',
    mend: 'Override subject fields only: engine name, version, image, arguments, environment, router.',
  },
} as const satisfies Record<string, RuleText>
