import type { RuleText } from './finding.ts'

const error = { level: 'valid', severity: 'error' } as const

/** What is asked of the file before its content is looked at. */
export const YAML_RULES = {
  empty: {
    id: 'file-empty',
    title: 'The file is empty',
    ...error,
    why: 'There is nothing to read: no field has a value.',
    mend: 'Write its fields; fixtures/packs/ has complete manifests.',
  },
  tooLarge: {
    id: 'file-too-large',
    title: 'The file is larger than 1 MiB',
    ...error,
    why: 'A manifest is a few kilobytes. Anything of this size is another file, and is not parsed.',
    mend: 'Name the file that you mean.',
  },
  notText: {
    id: 'file-not-text',
    title: 'The file is no UTF-8 text',
    ...error,
    why: 'NUL bytes or invalid UTF-8 mean a binary file, or another encoding. An escape of half a character (`\\ud800`) has no UTF-8 either.',
    mend: 'Save the file as UTF-8 text.',
  },
  syntax: {
    id: 'yaml-syntax',
    title: 'The text is not valid YAML',
    ...error,
    why: 'What cannot be parsed cannot be judged.',
    mend: 'Mend the YAML at the place named.',
  },
  tab: {
    id: 'yaml-tab',
    title: 'A tab indents a line',
    ...error,
    why: 'YAML indents with spaces only; a tab has no width that parsers agree on.',
    mend: 'Replace the tab by spaces.',
  },
  duplicateKey: {
    id: 'yaml-duplicate-key',
    title: 'A key stands twice in one mapping',
    ...error,
    why: 'Parsers disagree on which of the two counts, so that the manifest would have two meanings.',
    mend: 'Keep one of them.',
  },
  severalDocuments: {
    id: 'yaml-several-documents',
    title: 'The file holds several documents',
    ...error,
    why: 'A run has one manifest; which of several is meant cannot be known.',
    mend: 'Keep one document, without a `---` between.',
  },
  aliases: {
    id: 'yaml-alias-bomb',
    title: 'Aliases expand to too much',
    ...error,
    why: 'Aliases of aliases grow a small file to any size in memory.',
    mend: 'Write the values out. A few anchors are fine.',
  },
  tooDeep: {
    id: 'yaml-too-deep',
    title: 'The nesting is too deep',
    ...error,
    why: 'A manifest has five levels; nesting beyond sixty-four is an attack or an accident.',
    mend: 'Remove the nesting.',
  },
  tag: {
    id: 'yaml-tag',
    title: 'A value has a tag that YAML does not know',
    ...error,
    why: 'Only plain text, numbers, booleans, lists and mappings are read; what another tag means is not ours to guess.',
    mend: 'Remove the tag.',
  },
  notAMapping: {
    id: 'yaml-not-a-mapping',
    title: 'The document is no mapping',
    ...error,
    why: 'A manifest is a mapping with the keys model, engine, client, workload and acceptance.',
    mend: 'Write the manifest as `key: value` lines.',
  },
  forbiddenKey: {
    id: 'forbidden-key',
    title: 'A key has a name that programs reserve',
    ...error,
    why: '`__proto__`, `constructor` and `prototype` change objects in programs that read them carelessly, ours or others.',
    mend: 'Choose another name.',
  },
} as const satisfies Record<string, RuleText>
