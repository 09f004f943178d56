import type { ByteString } from '../../model/index.ts';

/** Refs that each worktree has for itself. */
export const isPerWorktree = (ref: ByteString): boolean => /^refs\/(?:bisect|worktree|rewritten)\//.test(ref);

/** As people and git write it where no other is meant. */
export const shortRef = (ref: ByteString): ByteString => {
  const short = ref === 'refs/stash' ? 'stash' : ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return (short === 'HEAD' ? ref : short) as ByteString;
};
