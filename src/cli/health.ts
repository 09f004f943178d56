import type { Health, OperationTimes, SlowOperation, SlowReason, StoreHealth } from '../engine/index.ts';
import { paintVerdict, printConcerns, printGitHealth } from './git-health.ts';
import { bytes as amount, count, hint, oneLine, paint, print, relativeTime, table } from './output.ts';

export const printHealth = ({ git, store, timings, slow }: Health): void => {
  if (git === null) print('There is no git repository here');
  else printGitHealth(git.verdict, git.concerns);
  if (store === null) hint('Nothing is recorded here yet: retake checkpoint');
  else printStore(store);
  if (timings.operations.length === 0) return;
  print(`\nHow long things took, since ${oneLine(timings.since ?? '')}`);
  const head = ['', 'times', 'mean', 'slowest', 'may take', 'slower'].map((word) => paint('dim', word));
  print(table([head, ...timings.operations.map(row)]));
  if (slow.length === 0) return;
  print('\nWhat took longer than it may');
  print(table(slow.map(({ at, kind, ms, ...rest }) => [paint('dim', relativeTime(at)), oneLine(kind), time(ms), whyText(rest)])));
};

const printStore = ({ verdict, concerns, size, lastGc, lastCheck }: StoreHealth): void => {
  print(`The store: ${paintVerdict(verdict)}`);
  printConcerns(concerns);
  const rows = [
    ['size', `${amount(size.bytes)} in ${count(size.files, 'file')}`],
    ['objects', `${count(size.packs, 'pack')}, ${size.looseObjects} loose`],
    ['last gc', lastGc === null ? 'not known' : relativeTime(lastGc)],
    [
      'last check',
      lastCheck === null
        ? 'not known'
        : `${relativeTime(lastCheck.at)}, ${lastCheck.full ? 'every byte' : 'a quick look'}: ${oneLine(lastCheck.problem ?? 'all was well')}`,
    ],
  ];
  print(table(rows.map(([key = '', value = '']) => [`  ${paint('dim', key)}`, value])));
};

const time = (ms: number): string => (ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const row = ({ kind, count: times, mean, slowest, limit, slow }: OperationTimes): string[] => [
  `  ${oneLine(kind)}`,
  String(times),
  time(mean),
  limit !== null && slowest > limit ? paint('yellow', time(slowest)) : time(slowest),
  limit === null ? '' : time(limit),
  slow === 0 ? '' : String(slow),
];

const REASONS: Readonly<Record<SlowReason, string>> = {
  waited: 'waited for others at work here',
  'first-record': 'everything was recorded for the first time',
  'no-daemon': 'every file was looked at: no background process had watched',
  'not-watched': 'every file was looked at: the background process did not watch yet',
  'journal-lost': 'every file was looked at: the system lost track of what changed',
  git: 'waited for git',
  'much-to-write': 'there was much to write',
};

const whyText = ({ reasons, phases, amounts }: Pick<SlowOperation, 'reasons' | 'phases' | 'amounts'>): string => {
  const { files, changes, bytes, gits = 0 } = amounts;
  const [longest] = Object.entries(phases);
  const why = reasons.map((reason) => REASONS[reason] ?? oneLine(reason));
  const among = [
    ...(longest === undefined ? [] : [`${oneLine(longest[0])} ${time(longest[1])}`]),
    ...(files === undefined ? [] : [count(files, 'file')]),
    ...(changes === undefined ? [] : [count(changes, 'change')]),
    ...(bytes === undefined || bytes < 1e5 ? [] : [`${amount(bytes)} new`]),
    ...(gits === 0 ? [] : [`git started ${count(gits, 'time')}`]),
  ];
  return `${why.length === 0 ? 'why is not known' : why.join('; ')} ${paint('dim', `(${among.join(', ')})`)}`;
};
