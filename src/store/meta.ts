import type { BlobId, ByteString, TreeId } from '../model/index.ts';
import { compareBytes } from '../model/index.ts';
import type { ObjectBatch, ObjectStore, TreeEntry } from './objects/index.ts';

/**
 * What git trees can't say: exact permission bits and `.git` pointer files. The `meta` tree mirrors `files`, with a
 * subtree only where something below has something to say. In it `meta` is the directory's own lines, `pointer` the
 * bytes of its `.git` file, and `+name` the subtree of its subdirectory `name`.
 *
 *     directory 0700            its own permission bits, when not 0755
 *     usual 0664 0775           those of most plain and of most executable files in it, when not 0644 and 0755
 *     permissions 0600 secret   a file with others
 */
export interface DirectoryMeta {
  readonly permissions: number;
  readonly usualPlain: number;
  readonly usualExecutable: number;
  readonly exceptions: ReadonlyMap<ByteString, number>;
  readonly pointer: GitPointer | null;
}

/** What a `.git` that is not a directory holds; permissions are null for a symbolic link. */
export interface GitPointer {
  readonly id: BlobId;
  readonly permissions: number | null;
}

export const DIRECTORY_PERMISSIONS = 0o755;
const PLAIN = 0o644;
export const POINTER_NAME = '.git' as ByteString;
const EXECUTABLE = 0o755;

export const isExecutable = (permissions: number): boolean => (permissions & 0o100) !== 0;

/** What an absent meta says. */
const PLAIN_META: DirectoryMeta = {
  permissions: DIRECTORY_PERMISSIONS,
  usualPlain: PLAIN,
  usualExecutable: EXECUTABLE,
  exceptions: new Map(),
  pointer: null,
};

export const filePermissions = (meta: DirectoryMeta, name: ByteString, executable: boolean): number =>
  meta.exceptions.get(name) ?? (executable ? meta.usualExecutable : meta.usualPlain);

/** The meta of a directory from the permissions of its files: the most frequent are named once. */
export const describeDirectory = (
  permissions: number,
  files: readonly { readonly name: ByteString; readonly permissions: number }[],
  pointer: GitPointer | null,
): DirectoryMeta => {
  const usualPlain = mostFrequent(files.filter((file) => !isExecutable(file.permissions)).map((file) => file.permissions)) ?? PLAIN;
  const usualExecutable =
    mostFrequent(files.filter((file) => isExecutable(file.permissions)).map((file) => file.permissions)) ?? EXECUTABLE;
  const exceptions = new Map<ByteString, number>();
  for (const file of files) {
    if (file.permissions !== (isExecutable(file.permissions) ? usualExecutable : usualPlain)) exceptions.set(file.name, file.permissions);
  }
  if (pointer?.permissions != null && pointer.permissions !== usualPlain) exceptions.set(POINTER_NAME, pointer.permissions);
  return { permissions, usualPlain, usualExecutable, exceptions, pointer };
};

const mostFrequent = (values: readonly number[]): number | undefined => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: number | undefined;
  for (const [value, count] of counts) {
    const bestCount = best === undefined ? 0 : (counts.get(best) ?? 0);
    if (count > bestCount || (count === bestCount && value < (best ?? 0))) best = value;
  }
  return best;
};

/** Writes the meta tree of a directory; null when neither it nor anything below has something to say. */
export const writeMeta = (
  batch: ObjectBatch,
  meta: DirectoryMeta,
  children: Iterable<readonly [name: ByteString, meta: TreeId]>,
): TreeId | null => {
  const entries: TreeEntry[] = [];
  const lines = renderLines(meta);
  if (lines !== '') entries.push({ mode: 0o100644, name: 'meta' as ByteString, id: batch.blob(Buffer.from(lines)) });
  if (meta.pointer !== null) {
    entries.push({ mode: meta.pointer.permissions === null ? 0o120000 : 0o100644, name: 'pointer' as ByteString, id: meta.pointer.id });
  }
  for (const [name, id] of children) entries.push({ mode: 0o40000, name: `+${name}` as ByteString, id });
  return entries.length === 0 ? null : batch.tree(entries);
};

export interface MetaTree {
  readonly own: DirectoryMeta;
  readonly children: ReadonlyMap<ByteString, TreeId>;
}

const EMPTY: MetaTree = { own: PLAIN_META, children: new Map() };

export const readMeta = (store: ObjectStore, id: TreeId | null): MetaTree => {
  if (id === null) return EMPTY;
  let own = PLAIN_META;
  let pointer: TreeEntry | undefined;
  const children = new Map<ByteString, TreeId>();
  for (const entry of store.readTree(id)) {
    if (entry.name === 'meta') own = parseLines(store.readBlob(entry.id as BlobId).toString('latin1'));
    else if (entry.name === 'pointer') pointer = entry;
    else children.set(entry.name.slice(1) as ByteString, entry.id as TreeId);
  }
  return { own: pointer === undefined ? own : { ...own, pointer: pointerFrom(own, pointer) }, children };
};

const pointerFrom = (own: DirectoryMeta, { id, mode }: TreeEntry): GitPointer => ({
  id: id as BlobId,
  permissions: mode === 0o120000 ? null : filePermissions(own, POINTER_NAME, false),
});

const octal = (permissions: number): string => permissions.toString(8).padStart(4, '0');

const renderLines = (meta: DirectoryMeta): string => {
  let lines = '';
  if (meta.permissions !== DIRECTORY_PERMISSIONS) lines += `directory ${octal(meta.permissions)}\n`;
  if (meta.usualPlain !== PLAIN || meta.usualExecutable !== EXECUTABLE) {
    lines += `usual ${octal(meta.usualPlain)} ${octal(meta.usualExecutable)}\n`;
  }
  for (const [name, permissions] of [...meta.exceptions].sort(([a], [b]) => compareBytes(a, b))) {
    lines += `permissions ${octal(permissions)} ${escapeName(name)}\n`;
  }
  return lines;
};

const parseLines = (text: string): DirectoryMeta => {
  let { permissions, usualPlain, usualExecutable } = PLAIN_META;
  const exceptions = new Map<ByteString, number>();
  for (const line of text.split('\n')) {
    const [word, first = '', second = ''] = line.split(' ');
    if (word === 'directory') permissions = Number.parseInt(first, 8);
    else if (word === 'usual') [usualPlain, usualExecutable] = [Number.parseInt(first, 8), Number.parseInt(second, 8)];
    else if (word === 'permissions') exceptions.set(unescapeName(second), Number.parseInt(first, 8));
  }
  return { permissions, usualPlain, usualExecutable, exceptions, pointer: null };
};

/** Bytes that would break a line or a field are written as %XX. */
const escapeName = (name: ByteString): string =>
  name.replace(/[^!-$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

const unescapeName = (text: string): ByteString =>
  text.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) as ByteString;
