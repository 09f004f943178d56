import type { Subject } from '../engine/index.ts';

/** A commit of the user's git. */
export const gitCommitJson = ({ id, parents, author, at, message, isOnlyHeld }: Extract<Subject, { commit: unknown }>['commit']) => ({
  commit: id,
  parents,
  author,
  createdAt: new Date(at * 1000).toISOString(),
  message,
  onlyHeld: isOnlyHeld,
});
