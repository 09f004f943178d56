import type { ByteString, GitUnderWay, RelativePath } from '../model/index.ts';
import { askGit } from './ask.ts';
import { readHead, readRef } from './head.ts';
import { hasPlainInfo } from './objects/info-files.ts';
import { below, statIfAny } from './paths.ts';
import { readPlainText } from './plain-file.ts';
import type { UserRepository } from './repository.ts';

export interface GitState {
  /** What git has begun and waits for the user to continue. */
  readonly underWay: GitUnderWay | null;
  /** The newest stash; null also where refs are in a reftable. */
  readonly stash: string | null;
}

/** A handful of questions to the system: this runs at every checkpoint. */
export const readGitState = (repository: UserRepository): GitState => ({
  underWay: underWay(repository.gitDirectory),
  // Without a reflog there is no stash: that spares the search among packed refs.
  stash:
    statIfAny(below(repository.commonDirectory, 'logs/refs/stash')) === undefined ? null : readRef(repository, 'refs/stash' as ByteString),
});

/** The outermost comes first: a rebase picks and merges, and any of them may be a step of a bisection. */
const underWay = (gitDirectory: ByteString): GitState['underWay'] => {
  const has = (name: string): boolean => statIfAny(below(gitDirectory, name)) !== undefined;
  if (has('rebase-merge')) return 'rebase';
  if (has('rebase-apply')) return has('rebase-apply/applying') ? 'am' : 'rebase';
  if (has('MERGE_HEAD')) return 'merge';
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (has('REVERT_HEAD')) return 'revert';
  // Between two of several picks there is no such head.
  const next = readPlainText(below(gitDirectory, 'sequencer/todo'), { follow: true, limit: 16 });
  if (next !== null) return /^revert\b/.test(next) ? 'revert' : 'cherry-pick';
  return has('BISECT_LOG') ? 'bisect' : null;
};

const EMPTY_TREE = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** The paths at which the index differs from HEAD, from the repository's top; none where git can't tell. */
export const stagedPaths = async (repository: UserRepository): Promise<RelativePath[]> => {
  if (!hasPlainInfo(repository)) return [];
  const { commit } = await readHead(repository);
  // From inside the repository: nothing of the work tree has a say here, and a FIFO in the place of `.gitmodules` would stop git for ever.
  const { stdout } = await askGit(
    repository.gitDirectory,
    [
      '--git-dir=.',
      '--work-tree=.',
      '-c',
      'core.excludesFile=/dev/null',
      '--no-replace-objects',
      'diff-index',
      '--cached',
      '--raw',
      '-z',
      '--no-renames',
      '--ita-invisible-in-index',
      '--ignore-submodules=dirty',
      commit ?? EMPTY_TREE[repository.objectFormat],
      '--',
    ],
    [1, 128],
  );
  // Modes, ids and status of an entry, then its path; a conflict may have several.
  return [
    ...new Set(
      stdout
        .toString('latin1')
        .split('\0')
        .filter((_, i) => i % 2 === 1),
    ),
  ] as RelativePath[];
};
