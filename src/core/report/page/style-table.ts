import { BASE_STYLE } from '../html-style-table.ts'

/** What the report's style has beside the one that all pages share. */
export const REPORT_STYLE = `${BASE_STYLE}body { max-width: 1360px; }
.wide { margin: 8px 0; }
.verdict h2 { margin-top: 14px; }
ul, ol { margin: 6px 0; padding-left: 24px; }
h3 { font-size: 1rem; margin: 14px 0 4px; }
h4 { font-size: 0.95rem; margin: 10px 0 4px; }
.verdict .wide table { width: auto; }
nav ul { display: flex; flex-wrap: wrap; gap: 2px 16px; list-style: none; padding: 0; margin: 8px 0; }
.verdict { border-left: 6px solid var(--warn); padding-left: 12px; margin: 8px 0 16px; }
.held, .improved { border-color: var(--rise); }
.regressed, .invalid { border-color: var(--fall); }
.note { border-left: 3px solid var(--warn); padding-left: 10px; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(380px, 100%), 1fr)); gap: 14px; margin: 8px 0; }
svg { display: block; width: 100%; max-width: 460px; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
svg .t { fill: var(--ink); font-weight: 600; }
svg .e { text-anchor: end; }
svg .m { text-anchor: middle; }
svg path { fill: none; }
.g { stroke: var(--line); stroke-width: 0.6; }
.c { stroke-width: 1.6; }
.lane { stroke-width: 1.4; stroke-linecap: round; }
.now { stroke: var(--run); }
.base { stroke: var(--soft); }
.c.base { stroke-dasharray: 5 3; }
.c.second { stroke: var(--fall); stroke-dasharray: 9 3; }
.i { stroke-width: 1; opacity: 0.75; }
.p { stroke-width: 1.6; }
.p.pass { stroke-width: 6; stroke-linecap: round; }
.p.fail.now { stroke: var(--fall); }
.p.fluke.now, .p.open.now { stroke: var(--warn); }
.limit { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 1.5 3; }
.warmup { fill: var(--warn); opacity: 0.16; }
.drain { fill: var(--soft); opacity: 0.18; }
tbody th { font-weight: 400; }
.n, .numbers th, .numbers td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.numbers .w { text-align: left; white-space: normal; }
details { margin: 8px 0; }
pre { white-space: pre; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: 10px; margin: 8px 0; font-size: 0.8rem; user-select: all; }
pre:focus-visible { outline: 2px solid var(--run); outline-offset: 2px; }
.lines { user-select: auto; }
code { font-size: 0.9em; }
.differs { font-weight: 600; }
@media print {
  :root { color-scheme: light; --ink: #000000; --soft: #444444; --page: #ffffff; --card: #ffffff; --line: #bbbbbb;
    --run: #0550ae; --fall: #a40e26; --rise: #116329; --warn: #7d4e00; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  nav { display: none; }
  svg, tr, .verdict { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .wide, .lines { overflow: visible; }
  .lines { white-space: pre; font-size: 5.5pt; }
  .printed details::details-content { content-visibility: visible; block-size: auto; }
  .wide table { width: 100%; font-size: 7pt; }
  .verdict .wide table { width: auto; font-size: 10pt; }
  th, td { padding: 2px 5px 2px 0; }
  .numbers th, .numbers td { white-space: normal; }
  table:not(.numbers) td, .numbers .w { overflow-wrap: anywhere; }
  pre { white-space: pre-wrap; }
}
`
