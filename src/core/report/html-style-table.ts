/** The style that all pages share. Colours keep a contrast of 4.5 and more for text in light and in dark. */
export const BASE_STYLE = `
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
.soft { color: var(--soft); font-size: 0.85rem; }
.wide { overflow-x: auto; }
.wide table { width: max-content; }
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--run); outline-offset: 2px; }
summary { cursor: pointer; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 10px 4px 0; text-align: left; vertical-align: top; overflow-wrap: normal; }
td { max-width: 26rem; }
th:last-child, td:last-child { padding-right: 0; }
`
