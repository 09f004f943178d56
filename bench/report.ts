import { execFileSync } from 'node:child_process';
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Sample } from './measure.ts';

/** How a row compares, and what it must reach. */
type Bar =
  /** The peer takes at least this many times as long. */
  | { readonly faster: number }
  /** Retake takes at most this many times what the peer takes. */
  | { readonly atMost: number };

export interface Row {
  readonly measure: string;
  readonly size: string;
  readonly retake: Quantity;
  readonly peer: Quantity;
  /** The sense of the ratio; without `bar`, it is only told. */
  readonly bar: Bar | 'faster';
}

type Quantity = Sample | { readonly bytes: number } | { readonly files: number } | { readonly share: number };

/** `judged`: whether the sizes are those that the bars are about. */
export const renderTable = (rows: readonly Row[], judged: boolean): string =>
  ['| measure | size | Retake | peer | ratio | bar | holds |', '|---|---|---|---|---|---|---|', ...renderRows(rows, judged)].join('\n');

const renderRows = (rows: readonly Row[], judged: boolean): string[] =>
  rows.map((row) => {
    const { ratio, bar, holds } = compare(row);
    const verdict = holds === undefined || !judged ? '–' : holds ? 'yes' : '**no**';
    return `| ${[row.measure, row.size, show(row.retake), show(row.peer), ratio, bar, verdict].join(' | ')} |`;
  });

const compare = ({ retake, peer, bar }: Row): { ratio: string; bar: string; holds?: boolean } => {
  const ratio = amount(peer) / amount(retake);
  if (bar === 'faster') return { ratio: `${times(ratio)} as fast`, bar: '–' };
  if ('faster' in bar) return { ratio: `${times(ratio)} as fast`, bar: `at least ${bar.faster} ×`, holds: ratio >= bar.faster };
  const unit = ['bytes', 'files', 'share'].find((one) => one in retake) ?? 'time';
  return { ratio: `${times(1 / ratio)} the ${unit}`, bar: `at most ${bar.atMost} ×`, holds: 1 / ratio <= bar.atMost };
};

const amount = (quantity: Quantity): number => {
  if ('bytes' in quantity) return quantity.bytes;
  if ('files' in quantity) return quantity.files;
  return 'share' in quantity ? quantity.share : quantity.median;
};

const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`;

const show = (quantity: Quantity): string => {
  if ('bytes' in quantity) return quantity.bytes < 1e5 ? `${quantity.bytes} bytes` : `${(quantity.bytes / 1e6).toFixed(2)} MB`;
  if ('files' in quantity) return `${quantity.files.toLocaleString('en')} files`;
  if ('share' in quantity) return `${(quantity.share * 100).toFixed(2)} %`;
  const { median, fastest, slowest } = quantity;
  return `${milliseconds(median)} ms (${milliseconds(fastest)} – ${milliseconds(slowest)})`;
};

const milliseconds = (value: number): string => value.toFixed(value < 10 ? 1 : 0).replace(/\B(?=(\d{3})+$)/g, ',');

/** What figures depend on, and nothing that tells whose machine it is. */
export const renderFacts = (directory: string, loadBefore: number): string => {
  const git = execFileSync('git', ['--version']).toString().trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${availableParallelism()} cores, ${memory}, ${platform()}, ${fileSystem(directory)}, Node ${process.versions.node}, ${git}, load ${renderLoad(loadBefore)}`;
};

const renderLoad = (before: number): string => `${before.toFixed(1)} → ${(loadavg()[0] ?? 0).toFixed(1)}`;

const FILE_SYSTEMS = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlayfs'],
  [0x2fc12fc1, 'zfs'],
]);

const fileSystem = (directory: string): string => {
  const { type } = statfsSync(directory);
  return FILE_SYSTEMS.get(type) ?? `file system ${type.toString(16)}`;
};

const PAGE = join(import.meta.dirname, '../docs/performance.md');
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** Puts the result between its markers on the page about performance. */
export const writeToPage = (result: string): void => {
  const { begin, end } = readPage();
  writeFileSync(PAGE, `${begin}${result}${end}`);
};

/** Puts the rows of some rules alone there; all others stay as they are. */
export const writeRulesToPage = (rows: readonly Row[], rules: readonly string[], loadBefore: number): void => {
  const { begin, result, end } = readPage();
  writeFileSync(PAGE, `${begin}${withRules(result, renderRows(rows, true), rules, renderLoad(loadBefore))}${end}`);
};

/** The page, up to and from its markers. */
const readPage = (): { begin: string; result: string; end: string } => {
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/performance.md has lost its markers ${BEGIN} and ${END}`);
  const after = begin + BEGIN.length + 1;
  return { begin: page.slice(0, after), result: page.slice(after, end), end: page.slice(end) };
};

const ALONE = 'Measured in runs of their own: ';

/**
 * A result with other rows for some rules, where those were or at the end of the table; a line under the facts says under what load they were
 * measured. A rule without rows could not be measured: it stays as it is.
 */
export const withRules = (result: string, rows: readonly string[], rules: readonly string[], load: string): string => {
  const isOf = (rule: string) => (line: string) => line.startsWith(`| ${rule} `);
  const renewed = rules.filter((rule) => rows.some(isOf(rule)));
  const alone = new Map<string, string>();
  let lines = result.trimEnd().split('\n');
  for (const line of lines.filter((one) => one.startsWith(ALONE)))
    for (const [, rule = '', told = ''] of line.matchAll(/(\S+) \(([^)]*)\)/g)) alone.set(rule, told);
  for (const rule of renewed) {
    alone.set(rule, `load ${load}`);
    const first = lines.findIndex(isOf(rule));
    const others = lines.filter((line) => !isOf(rule)(line));
    lines = others.toSpliced(first < 0 ? others.length : first, 0, ...rows.filter(isOf(rule)));
  }
  const [facts = '', ...rest] = lines.filter((line) => !line.startsWith(ALONE));
  const told = alone.size === 0 ? [] : [`${ALONE}${[...alone].map(([rule, under]) => `${rule} (${under})`).join(', ')}`];
  const table = rest.slice(rest.findIndex((line) => line.startsWith('|')));
  return `${[facts, ...(told.length === 0 ? [] : ['', ...told]), '', ...table].join('\n')}\n`;
};
