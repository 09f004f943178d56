import { type ByteString, type RelativePath, sameNode, type WorkspaceState } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { leafOf } from './leaf.ts';
import { overlap } from './overlap.ts';
import { diffStates, type StateChange } from './states.ts';
import { countChanges, diffLines, isBinary, splitLines } from './text/index.ts';

/** How far two states have gone from each other since their common ancestor. */
export interface Divergence {
  /** 0 when both made the same of the ancestor, or only one of them changed it; 1 when their changes have nothing in common. */
  readonly score: number;
  /** Changed lines of each side; what is no text counts as one line. */
  readonly changed: { readonly a: number; readonly b: number };
  /** How many of them both sides have. */
  readonly common: number;
}

/** Goes path by path, so that of all content no more than one file's is in memory. */
export const divergence = (
  store: ObjectStore,
  base: WorkspaceState | null,
  a: WorkspaceState | null,
  b: WorkspaceState | null,
): Divergence => {
  const left = byPath(diffStates(store, base, a));
  const right = byPath(diffStates(store, base, b));
  const changed = { a: 0, b: 0 };
  let common = 0;
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(path), right.get(path)];
    const shared = one !== undefined && other !== undefined ? compare(store, one, other) : undefined;
    changed.a += shared?.a ?? countOf(store, one);
    changed.b += shared?.b ?? countOf(store, other);
    common += shared?.common ?? 0;
  }
  // A side that changed nothing is where they parted: the other is ahead of it, and nothing stands against anything.
  const areTwo = changed.a > 0 && changed.b > 0;
  return { score: areTwo ? 1 - (2 * common) / (changed.a + changed.b) : 0, changed, common };
};

const byPath = (changes: readonly StateChange[]): Map<RelativePath, StateChange> => new Map(changes.map((change) => [change.path, change]));

const compare = (store: ObjectStore, a: StateChange, b: StateChange): { a: number; b: number; common: number } => {
  if (sameNode(a.to, b.to)) {
    const count = countOf(store, a);
    return { a: count, b: count, common: count };
  }
  const [one, other] = [linesOf(changeOf(store, a)), linesOf(changeOf(store, b))];
  return {
    a: sizeOf(one),
    b: sizeOf(other),
    common: overlap(one.own, other.own) + overlap(one.removed, other.removed) + overlap(one.added, other.added),
  };
};

/** A change taken apart. */
interface Parts {
  /** What counts as one line each: a type, permission bits, binary content, an empty file. */
  readonly own: readonly string[];
  readonly text: readonly [before: Buffer | null, after: Buffer | null];
}

const changeOf = (store: ObjectStore, { from, to }: StateChange): Parts => {
  const [before, after] = [leafOf(from), leafOf(to)];
  const noText = [null, null] as const;
  if (before !== null && after !== null && before.type !== after.type) return { own: [`${after.type} ${after.blob}`], text: noText };
  const own = from?.type === to?.type && bitsOf(from) !== bitsOf(to) ? [`permissions ${bitsOf(to)}`] : [];
  if (before?.blob === after?.blob) return { own, text: noText };
  const text = [before && store.readBlob(before.blob), after && store.readBlob(after.blob)] as const;
  if (text.some((bytes) => bytes !== null && isBinary(bytes))) return { own: [...own, `binary ${after?.blob}`], text: noText };
  if (text.every((bytes) => bytes === null || bytes.length === 0)) return { own: [...own, after === null ? 'deleted' : 'empty'], text };
  return { own, text };
};

const bitsOf = (node: StateChange['to']): number | null => (node !== null && 'permissions' in node ? node.permissions : null);

/** The number alone costs less than the lines. */
const countOf = (store: ObjectStore, change: StateChange | undefined): number => {
  if (change === undefined) return 0;
  const { own, text } = changeOf(store, change);
  const counts = countChanges(...text);
  return own.length + (counts === null ? 0 : counts.insertions + counts.deletions);
};

interface ChangedLines {
  readonly own: readonly string[];
  readonly removed: readonly ByteString[];
  readonly added: readonly ByteString[];
}

const linesOf = ({ own, text: [before, after] }: Parts): ChangedLines => {
  const [old, now] = [splitLines(before ?? Buffer.alloc(0)), splitLines(after ?? Buffer.alloc(0))];
  const changes = diffLines(old, now);
  return {
    own,
    removed: changes.flatMap(({ oldStart, oldCount }) => old.slice(oldStart, oldStart + oldCount)),
    added: changes.flatMap(({ newStart, newCount }) => now.slice(newStart, newStart + newCount)),
  };
};

const sizeOf = ({ own, removed, added }: ChangedLines): number => own.length + removed.length + added.length;
