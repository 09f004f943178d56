/**
 * Measures Retake against the peers' way, side by side in one run, and prints a table. See docs/performance.md.
 *
 *     npm run bench [-- [--quick] [--only PRF-3]… [--write]]
 *
 * With `--only`, `--write` renews the rows of those rules on the page.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { changedFiles } from './changed-files.ts';
import { conversations } from './conversations.ts';
import { firstCheckpoint } from './first-checkpoint.ts';
import { footprint } from './footprint.ts';
import { hooks } from './hooks.ts';
import { http } from './http.ts';
import { longDay } from './long-day.ts';
import { longHistory } from './long-history.ts';
import { packing } from './packing.ts';
import { FULL, QUICK } from './plan.ts';
import { type Row, renderFacts, renderTable, writeRulesToPage, writeToPage } from './report.ts';
import { Repositories } from './repositories.ts';
import { rollingBack } from './rolling-back.ts';
import { warm } from './warm.ts';
import { web } from './web.ts';
import { isolate, Workshop } from './workshop.ts';
import { year } from './year.ts';

const MEASUREMENTS = [
  warm,
  changedFiles,
  firstCheckpoint,
  hooks,
  rollingBack,
  packing,
  longHistory,
  year,
  conversations,
  http,
  web,
  footprint,
  longDay,
];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});

const chosen = MEASUREMENTS.filter(({ rule }) => options.only.length === 0 || options.only.includes(rule));
if (chosen.length < options.only.length) throw new Error(`--only takes one of ${MEASUREMENTS.map(({ rule }) => rule).join(', ')}`);
if (options.write && options.quick) throw new Error('--write takes no quick run');

const loadBefore = loadavg()[0] ?? 0;
const workshop = new Workshop();
isolate(workshop);
const plan = options.quick ? QUICK : FULL;
const bench = { workshop, repositories: new Repositories(workshop), plan };
const rows: Row[] = [];
try {
  for (const { measure } of chosen) rows.push(...(await measure(bench)));
} finally {
  // Minutes of measuring are not lost to a measurement that fails after them.
  process.stdout.write(render(rows));
}
if (options.write && options.only.length > 0) writeRulesToPage(rows, options.only, loadBefore);
else if (options.write) writeToPage(render(rows));

function render(measured: readonly Row[]): string {
  const facts = renderFacts(workshop.path, loadBefore);
  return `${options.quick ? 'Quick run, smaller than what the bars are about: ' : ''}${facts}\n\n${renderTable(measured, !options.quick)}\n`;
}
