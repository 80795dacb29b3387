// docs/reference/exit-codes.md: how the program ends, and what each command ends with.
import { markdownTable } from 'markdown-table'
import { EXIT } from '../../src/core/kernel/errors.ts'
import type { GeneratedFile } from '../generate.ts'
import { ENDS, MEANINGS } from '../reference/command-ends.ts'
import { codeCell } from '../reference/markdown-cells.ts'

const INTRO = `# Exit codes

<!-- Generated from scripts/reference/command-ends.ts by \`npm run generate\`. -->

Of the command line and of the action's step alike.
`

const ERRORS = `## Errors

What fails for another reason than a verdict says so in two lines on standard error: \`error:\` what and where, \`hint:\` how to mend it. Standard output stays
empty then. \`--debug\` adds the stack. As a rule the code is 4 where a manifest or a file is wrong, 64 where an option or an input is, and 1 where
the machine, the engine, the network or a store failed.
`

const COMMANDS = `## By command

A command that is not here ends with 0 once it has its result, whatever that says: \`analyze\`, \`report\` and \`explain\` among them.
`

export function generate(): GeneratedFile {
  const meanings = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [String(EXIT[name]), MEANINGS[name]])
  const ends = Object.entries(ENDS).map(([command, end]) => [codeCell(command), end])
  const parts = [
    INTRO,
    markdownTable([['code', 'meaning'], ...meanings], { align: ['r', 'l'] }),
    COMMANDS,
    markdownTable([['command', 'ends with'], ...ends]),
    ERRORS,
  ]
  return { path: 'docs/reference/exit-codes.md', text: parts.join('\n\n') }
}
