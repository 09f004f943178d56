import type { Node } from '../model/index.ts';

/** A file, link or pointer. */
export type Leaf = Exclude<Node, { type: 'directory' }>;

/** A directory counts as nothing there. */
export const leafOf = (node: Node | null): Leaf | null => (node?.type === 'directory' ? null : node);
