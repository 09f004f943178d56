import type { GitDetails, GitHead, Keep, Recorded } from '../../model/index.ts';
import { readGitContext } from '../core/git-context.ts';
import type { Workspace } from '../core/workspace.ts';
import { lookAtGit } from '../git/git-look.ts';
import { noteToPin } from '../git/pinned-objects.ts';
import { contentBefore } from '../read/content-before.ts';
import { type KeepJournal, recordKeep } from './keep-journal.ts';

/**
 * Records a commit that was made after a step, with where git stands since: so it is not found at the next step, as if it were the
 * agent's doing. The workspace is not looked at, because the agent may be at work in it by now: its state is that of the record before.
 * Needs the lock.
 */
export const recordStepKeep = async (workspace: Workspace, journal: KeepJournal, commits: readonly string[]): Promise<Recorded<Keep>> => {
  const batch = workspace.store.objects.begin();
  const userGit = await readGitContext(workspace.root, workspace.memory.userGit);
  const look = await lookAtGit(workspace, userGit, batch);
  if (look.toPin !== null) noteToPin(workspace, look.toPin);
  const git = look.git && withoutOwnMove(look.git, journal.head, commits);
  // Damage to the record before is no reason not to tell of the commit.
  const before = contentBefore(workspace);
  if (before === null || git === null) return recordKeep(workspace, journal, commits, { mode: 'step', content: null });
  return recordKeep(workspace, journal, commits, { mode: 'step', head: userGit.head, git, batch, content: { ...before, git } });
};

const withoutOwnMove = (git: GitDetails, onto: GitHead, commits: readonly string[]): GitDetails => {
  const { move, ...rest } = git;
  if (move === undefined) return git;
  const entries = move.entries.filter(({ to }) => to === null || !commits.includes(to));
  const isAlone = entries.length === 0 && move.stash === undefined && move.from.branch === onto.branch && move.from.commit === onto.commit;
  return isAlone ? rest : { ...rest, move: { ...move, entries } };
};
