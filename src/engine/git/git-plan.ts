import { exists } from '../../host/index.ts';
import {
  type ByteString,
  type Checkpoint,
  type GitChange,
  type GitPosition,
  type Recorded,
  type RefChange,
  RetakeError,
  type Rollback,
  sameHead,
  sameStaging,
  shortId,
  toText,
} from '../../model/index.ts';
import { branchElsewhere, type LeftCommit, listLeftBehind, readRefs, type UserRepository } from '../../usergit/index.ts';
import type { Present } from '../core/present.ts';

/** Where the user's git is to go (GIT-2). */
export interface GitTarget {
  readonly to: GitPosition;
  /** Branches beside HEAD's own that are to be where they were. */
  readonly refs: readonly Pick<RefChange, 'ref' | 'to'>[];
}

/** What `--git` would change, for the preview. */
export interface PlannedGit extends GitChange {
  /** Commits that no branch, tag or work tree would lead to afterwards, newest first. The store keeps them. */
  readonly leftBehind: readonly LeftCommit[];
  /** Files staged now, and then. */
  readonly staged: { readonly from: number; readonly to: number };
}

/** Where a record has the user's git; refused where it could not be brought back exactly. */
export const gitTarget = ({ id, head, git }: Recorded<Checkpoint>): GitTarget => {
  const name = shortId(id);
  if (head === null || git === undefined)
    throw refusal(`Checkpoint ${name} has no git state: there was no repository, or it is older than that`);
  if (git.underWay !== null) throw refusal(`Checkpoint ${name} was made in the middle of a ${git.underWay}, which can not be begun again`);
  if (git.staging === undefined) throw refusal(`The index could not be read when checkpoint ${name} was made`);
  return { to: { head, staging: git.staging }, refs: [] };
};

/** Taking back what a rollback did to the user's git. */
export const gitTargetBack = ({ gitChange }: Rollback): GitTarget | undefined =>
  gitChange && { to: gitChange.from, refs: gitChange.refs.map(({ ref, from }) => ({ ref, to: from })) };

/** What leads there from here; undefined when git is there already. Changes nothing. */
export const planGit = async (
  { to, refs }: GitTarget,
  { userGit, head, git }: Present,
  stagedThen: number,
): Promise<PlannedGit | undefined> => {
  const { repository } = userGit;
  if (repository === undefined || head === null || git === null) throw refusal('There is no git repository here any more');
  if (git.underWay !== null) throw refusal(`A ${git.underWay} is under way`, `Finish it or give it up first: git ${git.underWay} --abort`);
  if (git.staging === undefined) throw refusal('The index can not be read', 'git status tells more.');
  const lock = lockOf(repository);
  if (lock !== undefined)
    throw new RetakeError('git-busy', `Another git process is at work: ${lock} exists; nothing was changed`, {
      hint: 'Try again when it is done; if it was killed, remove that file.',
    });
  const wanted = new Map([...refs, ...ownRef(to)].map((change) => [change.ref, change.to]));
  const present = await readRefs(repository, [...wanted.keys()]);
  const changes = [...wanted].map(([ref, commit]): RefChange => ({ ref, from: present.get(ref) ?? null, to: commit }));
  const moving = changes.filter((change) => change.from !== change.to);
  const from = { head, staging: git.staging };
  if (moving.length === 0 && sameHead(head, to.head) && sameStaging(git.staging, to.staging)) return undefined;
  await refuseElsewhere(repository, [
    ...moving.map(({ ref }) => ref),
    ...(head.branch === to.head.branch ? [] : ownRef(to).map(({ ref }) => ref)),
  ]);
  const leftBehind = await listLeftBehind(repository, {
    leaving: [...(head.commit === null ? [] : [head.commit]), ...moving.map(({ ref }) => ref)],
    staying: [to.head.commit, ...moving.map((change) => change.to)].filter((id) => id !== null),
  });
  return { from, to, refs: moving, leftBehind, staged: { from: git.staged.count, to: stagedThen } };
};

const lockOf = ({ gitDirectory }: UserRepository): string | undefined =>
  ['index.lock', 'HEAD.lock'].map((name) => toText(`${gitDirectory}/${name}` as ByteString)).find(exists);

const ownRef = ({ head: { branch, commit } }: GitPosition): Pick<RefChange, 'ref' | 'to'>[] =>
  branch === null ? [] : [{ ref: `refs/heads/${branch}`, to: commit }];

const refuseElsewhere = async (repository: UserRepository, refs: readonly string[]): Promise<void> => {
  for (const ref of new Set(refs)) {
    const branch = ref.replace(/^refs\/heads\//, '');
    const place = await branchElsewhere(repository, branch);
    if (place !== null)
      throw refusal(
        `Branch ${branch} is checked out in another work tree, ${toText(place)}`,
        'Switch that one to another branch first, or leave --git out.',
      );
  }
};

const refusal = (message: string, hint = 'Without --git the files go back and git stays as it is.'): RetakeError =>
  new RetakeError('git-state', `${message}; nothing was changed`, { hint });
