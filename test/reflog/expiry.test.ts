import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { repositoryScene, type Scene } from '../support/scene.ts';
import { commitFile, DAY, head, type Line, NOBODY, secondsAgo, writeLog } from './support.ts';

/** Days that lie well between the terms used below. */
const AGES = [0.2, 2.5, 6.5, 8.5, 13, 16, 29, 31, 59, 62, 88, 96, 150, 400];
const MISSING = '1234567890123456789012345678901234567890';

/** Logs with every kind of entry in every age: of commits that are on the branch, on another one, on none, and nowhere. */
const manyEntries = (): Scene & { readonly refs: readonly string[] } => {
  const at = repositoryScene();
  const { workspace } = at;
  const first = commitFile(workspace, 'first');
  const lost = commitFile(workspace, 'lost');
  gitIn(workspace, 'reset', '-q', '--hard', first);
  gitIn(workspace, 'checkout', '-qb', 'feature/x');
  const other = commitFile(workspace, 'other');
  gitIn(workspace, 'checkout', '-q', 'main');
  const tip = commitFile(workspace, 'tip');
  commitFile(workspace, 'stashed');
  gitIn(workspace, 'update-ref', '--create-reflog', 'refs/stash', 'HEAD');
  gitIn(workspace, 'reset', '-q', '--hard', 'HEAD~1');
  gitIn(workspace, 'tag', 'a-tag', first);
  const moves = [
    [NOBODY, first],
    [first, tip],
    [first, other],
    [first, lost],
    [lost, tip],
    [tip, MISSING],
    [MISSING, lost],
    [tip, NOBODY],
  ];
  const refs = ['HEAD', 'refs/heads/main', 'refs/heads/feature/x', 'refs/stash'];
  for (const ref of refs) {
    const ages = AGES.toReversed().flatMap((age) => moves.map((move) => [age, move] as const));
    writeLog(
      workspace,
      ref,
      ages.map(([age, [from = '', to = '']], n): Line => ({ from, to, at: secondsAgo(age * DAY), note: `test: ${ref} ${n}` })),
    );
  }
  return { ...at, refs };
};

/** The notes of entries that git would drop now. */
const droppedByGit = (repository: string, refs: readonly string[]): string[] =>
  refs
    .flatMap((ref) => gitIn(repository, 'reflog', 'expire', '--dry-run', '--verbose', ref).split('\n'))
    .flatMap((line) => /^(?:would )?prune (.*)$/.exec(line)?.[1] ?? [])
    .sort();

const droppedByUs = ({ workspace, retake }: Scene): string[] =>
  retake
    .json(workspace, 'reflog')
    .entries.filter(({ expiresAt }: { expiresAt: string | null }) => expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    .map(({ action, message }: { action: string; message: string }) => (action === 'stash' ? message : `${action}: ${message}`))
    .sort();

const day = (ago: number): string => new Date(secondsAgo(ago * DAY) * 1000).toISOString().slice(0, 10);

type Settings = readonly (readonly [key: string, value: string])[];

const CONFIGURATIONS: readonly (readonly [name: string, ...settings: Settings])[] = [
  ['nothing is set'],
  ['short', ['gc.reflogExpireUnreachable', '7 days'], ['gc.reflogExpire', '60.days.ago']],
  ['the wrong way round', ['gc.reflogExpireUnreachable', '90.days'], ['gc.reflogExpire', '1.week']],
  ['for ever', ['gc.reflogExpire', 'never'], ['gc.reflogExpireUnreachable', 'false']],
  ['for ever what is reachable', ['gc.reflogExpire', 'never'], ['gc.reflogExpireUnreachable', 'now']],
  ['not at all', ['gc.reflogExpire', 'now']],
  ['months and weeks', ['gc.reflogExpire', '2 months ago'], ['gc.reflogExpireUnreachable', '2.weeks']],
  ['a fixed date', ['gc.reflogExpire', day(60)], ['gc.reflogExpireUnreachable', day(15)]],
  ['a pattern for one of the two', ['gc.refs/heads/*.reflogExpire', '10.days']],
  ['a pattern for the other', ['gc.refs/*.reflogExpireUnreachable', '10.days'], ['gc.reflogExpire', '61.days']],
  [
    'the first pattern wins',
    ['gc.refs/heads/fe[a-e]ture/?.reflogExpire', '60.days'],
    ['gc.refs/heads/fe[a-e]ture/?.reflogExpireUnreachable', '15.days'],
    ['gc.refs/heads/*.reflogExpire', '3.days'],
  ],
  ['a pattern for HEAD', ['gc.HEAD.reflogExpire', '60.days'], ['gc.HEAD.reflogExpireUnreachable', '3.days']],
  ['a pattern for all', ['gc.*.reflogExpire', '15.days'], ['gc.*.reflogExpireUnreachable', '8.days']],
  ['a pattern in other letters', ['gc.REFS/heads/*.reflogExpire', '1.day']],
];

test.each(CONFIGURATIONS.map(([name, ...settings]) => ({ name, settings })))(
  '[GIT-7] entries expire when git drops them: $name',
  ({ settings }) => {
    const at = manyEntries();
    for (const [key, value] of settings) gitIn(at.workspace, 'config', key, value);
    const dropped = droppedByGit(at.workspace, at.refs);
    expect(droppedByUs(at)).toEqual(dropped);
  },
);

test('[GIT-7] with a detached HEAD, only what a ref leads to counts as reachable', () => {
  const at = manyEntries();
  gitIn(at.workspace, 'checkout', '-q', '--detach');
  const alone = commitFile(at.workspace, 'alone');
  writeLog(at.workspace, 'HEAD', [
    { from: head(at.workspace, 'main'), to: alone, at: secondsAgo(40 * DAY), note: 'test: alone' },
    { from: head(at.workspace, 'feature/x'), to: head(at.workspace, 'main'), at: secondsAgo(40 * DAY), note: 'test: together' },
  ]);
  const dropped = droppedByGit(at.workspace, ['HEAD', ...at.refs.slice(1)]);
  expect(dropped).toContain('test: alone');
  expect(dropped).not.toContain('test: together');
  expect(droppedByUs(at)).toEqual(dropped);
});

test('[GIT-7] the terms in force come from all configuration that git reads', () => {
  const at = manyEntries();
  gitIn(at.workspace, 'config', 'include.path', 'more');
  gitIn(at.workspace, 'config', '-f', '.git/more', 'gc.reflogExpireUnreachable', '3.days');
  expect(droppedByUs(at)).toEqual(droppedByGit(at.workspace, at.refs));
  expect(at.retake.json(at.workspace, 'reflog', '--stats').retention).toEqual({ reachable: 90, unreachable: 3 });
});
