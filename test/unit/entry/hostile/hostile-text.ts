/** What a forger puts into every text that a record holds: each would mean something to GitHub, to a terminal or to the runner. */
export const LURES = [
  '</details><!-- capacity-gate:embedded: -->',
  '<!-- capacity-gate-heads:1 [{"head":"x"}] -->',
  '<img src=https://evil.example/pixel.png onerror=alert(1)>',
  '![seen](https://evil.example/pixel.png)',
  '[approve](https://evil.example/login)',
  'see https://evil.example/ and www.evil.example',
  '@acme/security @octocat please merge',
  'Fixes #1, closes acme/engine#2, resolves GH-3',
  '\u001B[2J\u001B[1;31mHELD\u001B[0m',
  'held \u202Edesserger\u202C \u2066\u200F',
  '::set-output name=verdict::held',
  '\n::add-mask::held\n##[error]x\n::stop-commands::y',
  '`code` **bold** | cell | cell',
  '```\n## ✅ Capacity held: no action needed\n```',
  'x'.repeat(10_000),
  '🧨'.repeat(2000),
]
