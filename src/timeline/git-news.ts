import type { GitHead, GitLogEntry, GitMove } from '../model/index.ts';

/** What git did between two records, in words for the timeline, oldest first (GIT-8). */
export const gitNews = ({ from, to, entries, stash }: GitMove): string[] => [
  ...(entries.length > 0 ? entries.map(describeEntry) : describeHeads(from, to)),
  ...(stash === undefined ? [] : [stash === 'made' ? 'git stash' : 'git stash: the last one is gone']),
];

const short = (commit: string | null): string => (commit === null ? 'no commit' : commit.slice(0, 10));

/** git's reflog says `what: about`. */
const describeEntry = ({ to, message }: GitLogEntry): string => {
  const [, what = '', about = ''] = /^([^:]*):? ?(.*)$/s.exec(message) ?? [];
  const commit = /^commit(?: \((.*)\))?$/.exec(what);
  if (commit !== null) return ['git commit', OPTIONS[commit[1] ?? ''] ?? '', short(to), about].filter((word) => word !== '').join(' ');
  const checkout = /^moving from (\S+) to (\S+)$/.exec(about);
  if (what === 'checkout' && checkout !== null) return `HEAD moved ${shorten(checkout[1])} → ${shorten(checkout[2])}`;
  if (what === 'reset') return `git reset to ${short(to)}`;
  if (what === '') return `HEAD moved to ${short(to)}`;
  return `git ${what} ${short(to)}${about === '' ? '' : ` ${about}`}`;
};

const OPTIONS: Readonly<Record<string, string>> = { amend: '--amend', merge: '(merge)', 'cherry-pick': '(cherry-pick)' };

/** A commit given by its whole id reads like any other. */
const shorten = (name = ''): string => (/^[0-9a-f]{40,64}$/.test(name) ? short(name) : name);

const describeHeads = (from: GitHead, to: GitHead): string[] => {
  if (from.branch === to.branch && from.commit === to.commit) return [];
  if (from.branch === to.branch) return [`${to.branch ?? 'HEAD'} moved ${short(from.commit)} → ${short(to.commit)}`];
  return [`HEAD moved ${from.branch ?? short(from.commit)} → ${to.branch ?? short(to.commit)}`];
};
