import { BASE_STYLE } from '../html-style-table.ts'

/** What the trend page's style has beside the one that all pages share. */
export const TREND_STYLE = `${BASE_STYLE}figure { margin: 14px 0 4px; padding: 0 10px 0 52px; }
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
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.when { white-space: nowrap; }
@media print { body { max-width: none; } section { break-inside: avoid; } }
`
