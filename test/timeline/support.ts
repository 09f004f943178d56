import type { SessionId } from '../../src/model/index.ts';
import { type Branch, ConversationTree, type Outline, outlineOf } from '../../src/timeline/index.ts';
import type { Transcript } from '../../src/transcript/index.ts';
import { jsonl, type Line, open, sessionFile } from '../transcript/support.ts';

export const outline = (transcript: Transcript): Outline =>
  outlineOf(transcript, transcript.messages, transcript.current.at(-1)?.id ?? null);

/** The outline of a session of these lines. */
export const outlined = (lines: readonly Line[], session = 's1'): Outline => outline(open(sessionFile(jsonl(lines), session)));

/** The tree of sessions `s1`, `s2` … */
export const treeOf = (...files: readonly (readonly Line[])[]): ConversationTree =>
  ConversationTree.grow(files.map((lines, index) => outlined(lines, `s${index + 1}`)));

export const allBranches = (tree: ConversationTree): Branch[] => tree.roots.flatMap((root) => [root, ...tree.descendants(root)]);

/** The branches as indented lines: the prompts of each. */
export const drawn = (branches: readonly Branch[], indent = ''): string[] =>
  branches.flatMap((branch) => [
    `${indent}${branch.turns.map(({ title }) => title).join(' → ')}`,
    ...drawn(branch.children, `${indent}  `),
  ]);

export const session = (name: string): SessionId => name as SessionId;
