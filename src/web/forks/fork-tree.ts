import type { Branch, ForkTree } from '../client/types.ts';
import { shortId, visible } from '../parts/words.ts';

export type { Branch };
export type Fork = ForkTree['forks'][number];

/** What a branch is called: its first prompt, on one line. */
export const titleOf = ({ title, branch }: Pick<Branch, 'title' | 'branch'>): string => visible(title) || shortId(visible(branch));

/** The fork that a branch begins at. */
export const forkOf = (forks: readonly Fork[], branch: string): Fork | undefined => forks.find(({ children }) => children.includes(branch));
