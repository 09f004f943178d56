import type { PlannedGit } from '../engine/index.ts';
import { gitOf } from '../json/git.ts';
import type { GitDetails, GitHead, Recorded } from '../model/index.ts';
import { count, firstOf, oneLine, paint, showName } from './output.ts';

/** The user's git at a record, a line for each thing there is to say. */
export const describeGit = (operation: Recorded, news: readonly string[]): string[] => {
  const { head, git } = gitOf(operation);
  if (head == null) return [];
  return [
    describeHead(head),
    ...(git === undefined || git.staged.count === 0 ? [] : [`${count(git.staged.count, 'file')} staged: ${staged(git)}`]),
    ...(git?.underWay ? [`in the middle of a ${git.underWay}`] : []),
    ...(git?.stash ? [`stash ${short(git.stash)}`] : []),
    ...news.map((line) => paint('magenta', oneLine(line))),
  ];
};

const SHOWN = 5;

const staged = ({ staged: { count: all, paths } }: GitDetails): string =>
  [...paths.slice(0, SHOWN).map(showName), ...(all > SHOWN ? [`and ${all - SHOWN} more`] : [])].join(', ');

const short = (commit: string | null): string => commit?.slice(0, 10) ?? 'no commit';

const describeHead = ({ branch, commit }: GitHead): string => `${branch === null ? 'detached' : oneLine(branch)} at ${short(commit)}`;

/** What happens to the user's git, before it does. */
export const describeGitPlan = ({ from, to, refs, leftBehind, staged }: PlannedGit): string[] => [
  `git: ${describeHead(from.head)} → ${describeHead(to.head)}; the index with ${count(staged.to, 'staged file')} (now ${staged.from})`,
  ...refs
    .filter(({ ref }) => ref !== `refs/heads/${to.head.branch}`)
    .map((change) => `git: ${oneLine(change.ref.replace(/^refs\/heads\//, ''))} ${short(change.from)} → ${short(change.to)}`),
  ...(leftBehind.length === 0
    ? []
    : [
        `${count(leftBehind.length, 'commit')} left on no branch; Retake keeps ${leftBehind.length === 1 ? 'it' : 'them'}, and undo brings ${leftBehind.length === 1 ? 'it' : 'them'} back`,
        ...firstOf(leftBehind, ({ id, headline }) => `  ${paint('yellow', short(id))}  ${oneLine(headline)}`),
      ]),
];
