/** The page's whole style. Colours keep a contrast of 4.5 and more for text in light and in dark. */
export const TREND_STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --page: #ffffff; --card: #f6f8fa; --line: #d1d9e0;
  --run: #0969da; --fall: #cf222e; --rise: #1a7f37; --warn: #9a6700; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f6fc; --soft: #9198a1; --page: #0d1117; --card: #151b23; --line: #3d444d;
    --run: #4493f8; --fall: #f85149; --rise: #3fb950; --warn: #d29922; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 16px; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 8px 0; }
h2 { font-size: 1.15rem; margin: 0; }
p { margin: 6px 0; }
a { color: var(--run); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px; margin: 16px 0; }
figure { margin: 14px 0 4px; padding: 0 10px 0 52px; }
figcaption { color: var(--soft); font-size: 0.85rem; margin-left: -52px; }
svg { display: block; overflow: visible; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 0.5; }
.axis { stroke: var(--line); }
.run { stroke: var(--run); stroke-width: 1.5; opacity: 0.6; }
.point { fill: var(--run); }
.bound { fill: var(--card); stroke: var(--fall); stroke-width: 2; }
svg .uncounted { fill: var(--warn); font-size: 14px; }
.level { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 6 3; opacity: 0.7; }
.fall { stroke: var(--fall); stroke-dasharray: 2 3; }
.rise { stroke: var(--rise); stroke-dasharray: 2 3; }
svg .fall-text { fill: var(--fall); font-weight: 600; }
svg .rise-text { fill: var(--rise); font-weight: 600; }
.state { font-weight: 600; }
.state-drifting { color: var(--fall); }
.state-recovered, .state-steady { color: var(--rise); }
.state-accepted, .state-short { color: var(--warn); }
.soft { color: var(--soft); font-size: 0.85rem; }
.wide { overflow-x: auto; }
.wide table { width: max-content; }
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--run); outline-offset: 2px; }
summary { cursor: pointer; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 10px 4px 0; text-align: left; vertical-align: top; overflow-wrap: normal; }
td { max-width: 26rem; }
th:last-child, td:last-child { padding-right: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.when { white-space: nowrap; }
@media print { body { max-width: none; } section { break-inside: avoid; } }
`
