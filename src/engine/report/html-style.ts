/** The look of a report. Added and removed lines differ in hue that everybody can tell apart, and in their signs. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --raised: #ffffff; --sunk: #f5f5f2; --line: #e3e3de; --ink: #1c1e22; --soft: #5d626b; --faint: #8b9099;
  --accent: #2b57b5; --add: #e4effc; --add-ink: #14509e; --remove: #fdf0e1; --remove-ink: #9a4a00; --warm: #8a5a00;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --code: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --raised: #1b1e23; --sunk: #1f2228; --line: #2e323a; --ink: #e7e9ec; --soft: #a5abb5; --faint: #7b828d;
    --accent: #8db2ff; --add: #17304f; --add-ink: #9cc8ff; --remove: #46290d; --remove-ink: #ffc48a; --warm: #f0be6a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--text); text-rendering: optimizeLegibility; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, .path, pre { font-family: var(--code); font-size: 0.875em; }
.path { overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--raised); padding: 0.5rem 1rem; z-index: 2; }
.quiet, .when, .byline, footer { color: var(--soft); }

.page { max-width: 86rem; margin: 0 auto; padding: 0 1.25rem; }
main { min-width: 0; padding: 2.5rem 0 4rem; }
nav { padding-top: 1.5rem; font-size: 0.875rem; line-height: 1.4; }
nav .mark { margin: 0 0 0.75rem; font-weight: 650; letter-spacing: 0.01em; }
nav ol { list-style: none; margin: 0; padding: 0 0 1.25rem; border-bottom: 1px solid var(--line); max-height: 14rem; overflow-y: auto; }
nav a { display: grid; grid-template-columns: 1.75rem 1fr; color: var(--soft); padding: 0.25rem 0.5rem 0.25rem 0; }
nav a:hover { color: var(--ink); text-decoration: none; }
nav a span:last-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
nav .n { color: var(--faint); font-variant-numeric: tabular-nums; }
nav .gone a span:last-child { text-decoration: line-through; text-decoration-color: var(--faint); }
@media (min-width: 64rem) {
  .page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 4rem; padding: 0 2.5rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 3.5rem 0 2rem; }
  nav ol { border: 0; max-height: none; overflow: visible; }
  main { padding: 3.5rem 0 6rem; max-width: 62rem; }
}

.eyebrow { margin: 0 0 0.75rem; font-size: 0.8125rem; font-weight: 600; color: var(--accent); }
.eyebrow span { color: var(--faint); font-weight: 400; }
h1 { margin: 0 0 0.75rem; font-size: clamp(1.625rem, 1.2rem + 1.9vw, 2.5rem); line-height: 1.15; letter-spacing: -0.022em; font-weight: 680; text-wrap: balance; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.375rem; line-height: 1.25; letter-spacing: -0.012em; font-weight: 650; }
h3 { margin: 1.75rem 0 0.625rem; font-size: 0.9375rem; font-weight: 600; }
h3 .lines { margin-left: 0.5rem; font-weight: 400; }
.byline { margin: 0; font-size: 0.9375rem; }
.byline code { overflow-wrap: anywhere; }
.dot::before { content: "·"; color: var(--faint); margin: 0 0.25rem; }
.facts { display: flex; flex-wrap: wrap; gap: 1rem 2.75rem; margin: 2rem 0 0; padding: 1.25rem 0; border-block: 1px solid var(--line); }
.facts dt { font-size: 0.8125rem; color: var(--soft); }
.facts dd { margin: 0; font-size: 1.5rem; line-height: 1.3; font-weight: 620; letter-spacing: -0.015em; font-variant-numeric: tabular-nums; }
.plus { color: var(--add-ink); } .minus { color: var(--remove-ink); }
.plus, .minus, .lines, .count { font-variant-numeric: tabular-nums; white-space: nowrap; }

section { margin-top: 3.5rem; }
.overview .quiet, .left-out .quiet { font-size: 0.9375rem; }
.overview > .quiet { max-width: 44rem; margin: 0.5rem 0 1rem; }
summary { cursor: pointer; }
.overview summary { font-size: 0.9375rem; font-weight: 600; padding: 0.25rem 0; }
.files { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
.files th { text-align: left; font-size: 0.8125rem; font-weight: 500; color: var(--soft); padding: 0.375rem 1rem 0.375rem 0; border-bottom: 1px solid var(--line); }
.files td { padding: 0.375rem 1rem 0.375rem 0; border-bottom: 1px solid var(--line); vertical-align: top; color: var(--soft); }
.files td.path { color: var(--ink); width: 100%; }
.files small { display: block; font-family: var(--text); color: var(--warm); }
.files th:last-child, .files td:last-child { text-align: right; padding-right: 0; }

.turn { padding-top: 2.5rem; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 40rem; }
.anchor { margin-left: 0.5rem; color: var(--faint); font-weight: 400; opacity: 0; }
h2:hover .anchor, .anchor:focus-visible { opacity: 1; }
.tag { display: inline-block; margin-left: 0.5rem; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.75rem; line-height: 1.5rem; font-weight: 500; letter-spacing: 0; color: var(--warm); vertical-align: 0.2rem; }
.when { margin: 0.125rem 0 0; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.prompt { margin: 1.25rem 0 0; padding: 1rem 1.25rem; background: var(--sunk); border-radius: 0.625rem; font-size: 1.0625rem; line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere; }
.steps { list-style: none; margin: 1.5rem 0 0; padding: 0; font-size: 0.9375rem; }
.steps li { display: grid; grid-template-columns: 7rem minmax(0, 1fr) auto; gap: 0.125rem 1rem; padding: 0.4375rem 0; border-bottom: 1px solid var(--line); align-items: baseline; }
.steps li:first-child { border-top: 1px solid var(--line); }
.label { font-size: 0.8125rem; font-weight: 600; color: var(--accent); overflow-wrap: anywhere; }
.others .label { color: var(--soft); } .moment .label, .added .label { color: var(--warm); }
.others .what { color: var(--soft); }
.what { overflow-wrap: anywhere; }
.step .what { font-family: var(--code); font-size: 0.875em; }
.remark { display: block; overflow-wrap: anywhere; font-family: var(--text); font-size: 0.8125rem; color: var(--soft); }
.remark.path { font-family: var(--code); font-size: 0.75rem; color: var(--faint); }
.count { font-size: 0.875rem; color: var(--soft); }
.said { margin: 1.5rem 0 0; padding-left: 1.25rem; border-left: 3px solid var(--line); }
.said figcaption { font-size: 0.8125rem; color: var(--soft); margin-bottom: 0.25rem; }
.said div { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 44rem; }

.file { margin-top: 0.625rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--raised); overflow: clip; }
.file summary { display: flex; align-items: baseline; gap: 0.25rem 0.875rem; flex-wrap: wrap; padding: 0.5625rem 1rem; list-style: none; }
.file summary::-webkit-details-marker { display: none; }
.file summary::before { content: ""; flex: none; align-self: center; border: solid var(--faint); border-width: 0 1.5px 1.5px 0; width: 0.4375rem; height: 0.4375rem; transform: rotate(-45deg); transition: transform 0.12s; }
.file[open] summary::before { transform: rotate(45deg) translate(-1px, -1px); }
.file summary:hover { background: var(--sunk); }
.file .path { flex: 1 1 14rem; min-width: 0; font-weight: 550; }
.status { font-size: 0.8125rem; color: var(--soft); }
.note { margin: 0; padding: 0.625rem 1rem; border-top: 1px solid var(--line); font-size: 0.875rem; color: var(--soft); }
.diff { margin: 0; border-top: 1px solid var(--line); overflow-x: auto; font-size: 0.8125rem; line-height: 1.55; tab-size: 4; }
.diff code { display: block; width: max-content; min-width: 100%; font-size: 1em; padding: 0.25rem 0; }
.diff span { display: block; padding-right: 1rem; }
.diff span::before { content: attr(data-n); display: inline-block; width: 11ch; padding-right: 1.5ch; color: var(--faint); text-align: right; white-space: pre; user-select: none; }
.diff .a { background: var(--add); } .diff .r { background: var(--remove); }
.diff .a::before { color: var(--add-ink); box-shadow: inset 3px 0 var(--add-ink); } .diff .r::before { color: var(--remove-ink); box-shadow: inset 3px 0 var(--remove-ink); }
.diff .h { color: var(--faint); background: var(--sunk); margin: 0.25rem 0; } .diff .h:first-child { margin-top: -0.25rem; }
.left-out, footer { border-top: 1px solid var(--line); padding-top: 2.5rem; }
.left-out ul { margin: 0.75rem 0 0; padding: 0; list-style: none; font-size: 0.9375rem; }
.left-out li { padding: 0.25rem 0; }
footer { margin-top: 3.5rem; padding-top: 1rem; font-size: 0.875rem; overflow-wrap: anywhere; }

@media (max-width: 40rem) {
  .steps li { grid-template-columns: minmax(0, 1fr) auto; }
  .steps .what { grid-column: 1 / -1; grid-row: 2; }
  .files th:nth-child(2), .files td:nth-child(2) { display: none; }
  .diff { font-size: 0.75rem; }
}
@media print {
  :root { --paper: #fff; --raised: #fff; --sunk: #f4f4f1; --line: #d5d5d0; --ink: #000; --soft: #444; --faint: #777; --accent: #1d4595; --add: #e4effc; --add-ink: #14509e; --remove: #fdf0e1; --remove-ink: #8a4200; --warm: #6d4700; }
  body { font-size: 10pt; } .page { display: block; max-width: none; padding: 0; } nav, .skip, .anchor { display: none; }
  main { padding: 0; max-width: none; }
  .turn { content-visibility: visible; } details::details-content { content-visibility: visible; display: block; }
  .diff { white-space: pre-wrap; overflow: visible; } .diff code { width: auto; } .diff span { overflow-wrap: anywhere; }
  h2, h3, .file summary, .prompt { break-after: avoid; } .steps li, .facts { break-inside: avoid; }
  .diff .a, .diff .r { print-color-adjust: exact; }
}
`;
