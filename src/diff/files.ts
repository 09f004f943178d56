import type { RelativePath } from '../model/index.ts';
import { isExecutable, type ObjectStore } from '../store/index.ts';
import { type Leaf, leafOf } from './leaf.ts';
import type { StateChange } from './states.ts';
import { countChanges, type FileMode, type Hunk, type HunkLine, hunksBetween, type PatchOptions, renderPatch } from './text/index.ts';

type FileStatus = 'added' | 'modified' | 'deleted' | 'mode' | 'type';

/** A file, link or pointer that differs. */
export interface FileDiff {
  readonly path: RelativePath;
  readonly status: FileStatus;
  readonly insertions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** What changed of it. */
export interface LeafChange {
  readonly path: RelativePath;
  readonly from: Leaf | null;
  readonly to: Leaf | null;
}

/** The changes that are of files; a directory on one side counts as nothing there. */
export const leafChanges = (changes: readonly StateChange[]): LeafChange[] =>
  changes.flatMap(({ path, from, to }) => {
    const change = { path, from: leafOf(from), to: leafOf(to) };
    return change.from === null && change.to === null ? [] : [change];
  });

export const diffFiles = (store: ObjectStore, changes: readonly StateChange[]): FileDiff[] =>
  leafChanges(changes).map((change) => diffFile(store, change));

export const diffFile = (store: ObjectStore, change: LeafChange): FileDiff => {
  const counts = sameBytes(change) ? { insertions: 0, deletions: 0 } : countChanges(content(store, change.from), content(store, change.to));
  return { path: change.path, status: statusOf(change), binary: counts === null, ...(counts ?? { insertions: 0, deletions: 0 }) };
};

/** The same by the hunks of a text, for who has made them anyway. */
export const diffFileByHunks = (change: LeafChange, hunks: readonly Hunk[]): FileDiff => {
  const count = (wanted: HunkLine['kind']): number =>
    hunks.reduce((sum, { lines }) => sum + lines.reduce((some, { kind }) => some + Number(kind === wanted), 0), 0);
  return { path: change.path, status: statusOf(change), binary: false, insertions: count('add'), deletions: count('remove') };
};

/** What the changes of several files come to. */
export const totalOf = (files: readonly FileDiff[]): { changed: number; insertions: number; deletions: number } => ({
  changed: files.length,
  insertions: files.reduce((sum, file) => sum + file.insertions, 0),
  deletions: files.reduce((sum, file) => sum + file.deletions, 0),
});

export const patchFiles = (store: ObjectStore, changes: readonly StateChange[], options?: PatchOptions): Buffer =>
  Buffer.concat(leafChanges(changes).map((change) => patchFile(store, change, options)));

export const patchFile = (store: ObjectStore, change: LeafChange, options?: PatchOptions): Buffer => {
  const { path, from, to } = change;
  const status = statusOf(change);
  const sides = {
    ...(from === null ? {} : { oldMode: modeOf(from), oldId: from.blob }),
    ...(to === null ? {} : { newMode: modeOf(to), newId: to.blob }),
  };
  const [before, after] = status === 'mode' ? [null, null] : [content(store, from), content(store, to)];
  return renderPatch({ path, status, ...sides, before, after }, options);
};

/** The hunks that stand in its patch. */
export const hunksOfFile = (store: ObjectStore, change: LeafChange): Hunk[] => {
  if (sameBytes(change)) return [];
  const [before, after] = [content(store, change.from) ?? NOTHING, content(store, change.to) ?? NOTHING];
  return statusOf(change) === 'type' ? [...hunksBetween(before, NOTHING), ...hunksBetween(NOTHING, after)] : hunksBetween(before, after);
};

const NOTHING = Buffer.alloc(0);

const statusOf = ({ from, to }: LeafChange): FileStatus => {
  if (from === null) return 'added';
  if (to === null) return 'deleted';
  if (from.type !== to.type) return 'type';
  return from.blob === to.blob ? 'mode' : 'modified';
};

const sameBytes = ({ from, to }: LeafChange): boolean => from !== null && to !== null && from.type === to.type && from.blob === to.blob;

const content = (store: ObjectStore, node: Leaf | null): Buffer | null => (node === null ? null : store.readBlob(node.blob));

const modeOf = (node: Leaf): FileMode => {
  if (node.type === 'link') return '120000';
  return isExecutable(node.permissions) ? '100755' : '100644';
};
