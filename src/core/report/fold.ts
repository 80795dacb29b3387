/** A folded block: a summary of our own words, and what it holds. */
export function folded(summary: string, blocks: readonly string[]): string {
  const body = blocks.filter((block) => block !== '').join('\n\n')
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`
}
