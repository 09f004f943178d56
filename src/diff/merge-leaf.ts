import { type BlobId, type Node, sameNode } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import type { Leaf } from './leaf.ts';
import type { ConflictReason, MadeFile } from './merged.ts';
import { isBinary, type MergeLabels, mergeText, type Sides } from './text/index.ts';

export interface MergedLeaf {
  /** What is there in the end or, in a conflict, what is there to be finished by hand. */
  readonly to: Leaf | MadeFile | null;
  readonly reason: ConflictReason | null;
  /** What there is when only the places in conflict are as one side has them; null where there are no such places, only the sides. */
  readonly settled: { readonly ours: Leaf | MadeFile; readonly theirs: Leaf | MadeFile } | null;
}

const clean = (to: MergedLeaf['to']): MergedLeaf => ({ to, reason: null, settled: null });
const apart = (reason: ConflictReason): MergedLeaf => ({ to: null, reason, settled: null });

/** Three-way, for a value that is taken as a whole: undefined when both sides changed it, and not to the same. */
export const pick = <T>(base: T | undefined, ours: T, theirs: T): T | undefined => {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : undefined;
};

/** What both sides made of something that is no directory. Content and permission bits are merged each by itself. */
export const mergeLeaf = (store: ObjectStore, nodes: Sides<Leaf | null>, labels: MergeLabels): MergedLeaf => {
  const { base, ours, theirs } = nodes;
  if (sameNode(base, theirs)) return clean(ours);
  if (sameNode(base, ours)) return clean(theirs);
  if (ours === null || theirs === null) return apart('changed-and-deleted');
  if (ours.type !== theirs.type) return apart('type');
  const past = base?.type === ours.type ? base : null;
  const { content, reason, favouring } = mergeContent(store, { base: past, ours, theirs }, labels);
  if (content === null) return { to: null, reason, settled: null };
  const bits = pick(past === null ? undefined : permissionsOf(past), permissionsOf(ours), permissionsOf(theirs));
  const side = (content: BlobId | Buffer, leaf: Leaf) => withContent(ours, content, bits === undefined ? permissionsOf(leaf) : bits);
  const to = side(content, ours);
  if (reason === null && bits !== undefined) return clean(to);
  const settled = { ours: side(favouring?.ours() ?? content, ours), theirs: side(favouring?.theirs() ?? content, theirs) };
  return { to, reason: reason ?? 'permissions', settled };
};

/** Links have none. */
const permissionsOf = (node: Node): number | null => ('permissions' in node ? node.permissions : null);

interface MergedContent {
  readonly content: BlobId | Buffer | null;
  readonly reason: ConflictReason | null;
  /** In a conflict of text: the same with the places in question as one side has them. */
  readonly favouring?: { ours(): Buffer; theirs(): Buffer };
}

/** Only the text of files is looked into; where a link or a `.git` pointer leads is one thing. */
const mergeContent = (
  store: ObjectStore,
  { base, ours, theirs }: { readonly base: Leaf | null; readonly ours: Leaf; readonly theirs: Leaf },
  labels: MergeLabels,
): MergedContent => {
  const blob = pick(base?.blob, ours.blob, theirs.blob);
  if (blob !== undefined) return { content: blob, reason: null };
  const reason = base === null ? 'both-added' : 'both-changed';
  if (ours.type !== 'file') return { content: null, reason };
  const [ourBytes, theirBytes] = [store.readBlob(ours.blob), store.readBlob(theirs.blob)];
  // An empty file beside a binary one is not its past.
  if (base === null && (isBinary(ourBytes) || isBinary(theirBytes))) return { content: null, reason: 'binary' };
  const baseBytes = base === null ? Buffer.alloc(0) : store.readBlob(base.blob);
  const merged = mergeText(baseBytes, ourBytes, theirBytes, labels);
  if (merged === null) return { content: null, reason: 'binary' };
  if (merged.conflicts > 0) {
    const favour = (side: 'ours' | 'theirs') => mergeText(baseBytes, ourBytes, theirBytes, labels, side)?.bytes ?? merged.bytes;
    return { content: merged.bytes, reason, favouring: { ours: () => favour('ours'), theirs: () => favour('theirs') } };
  }
  if (merged.bytes.equals(ourBytes)) return { content: ours.blob, reason: null };
  return { content: merged.bytes.equals(theirBytes) ? theirs.blob : merged.bytes, reason: null };
};

const withContent = (ours: Leaf, content: BlobId | Buffer, permissions: number | null): Leaf | MadeFile => {
  if (ours.type === 'link' || permissions === null) return { type: 'link', blob: content as BlobId };
  return typeof content === 'string' ? { ...ours, blob: content, permissions } : { type: 'file', bytes: content, permissions };
};
