import { type BlobId, type ByteString, fromBytes, type ObjectId, RetakeError, toBytes } from '../../model/index.ts';
import type { Content, ObjectBatch, TreeEntry } from '../../store/index.ts';
import { type ReflogFile, readPlainFile, reflogFiles, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** An agent waits while logs are copied: what is larger, or too many, is left out and noted. */
const LARGEST_LOG = 4 << 20;
const LARGEST_BACKUP = 8 << 20;
const MOST_LOGS = 200;

/** Lists what was left out. No ref has such a name. */
const LEFT_OUT = 'left-out';

/** Copies of the reflogs as they are now; undefined where there are none. In tables only git can read them: those are not copied. */
export const backUpReflogs = (repository: UserRepository | undefined, batch: ObjectBatch): Content['reflog'] => {
  const files = repository === undefined ? [] : reflogFiles(repository).sort(byClass);
  const entries: TreeEntry[] = [];
  const leftOut: { ref: ByteString; bytes: number }[] = [];
  let room = LARGEST_BACKUP;
  for (const { ref, path, bytes } of files) {
    const fits = bytes <= Math.min(LARGEST_LOG, room) && entries.length < MOST_LOGS;
    const file = fits ? readPlainFile(path, { follow: false, limit: bytes }) : 'unreadable';
    if (file === 'absent') continue;
    if (file === 'unreadable') leftOut.push({ ref, bytes });
    else entries.push(blobEntry(encodeRef(ref), batch.blob(file.bytes)));
    if (file !== 'unreadable') room -= file.bytes.length;
  }
  if (leftOut.length > 0) entries.push(blobEntry(LEFT_OUT, batch.blob(Buffer.from(`${JSON.stringify(leftOut)}\n`))));
  return entries.length === 0 ? undefined : batch.tree(entries);
};

/** HEAD sees all that is done; then what was worked on last. */
const byClass = (a: ReflogFile, b: ReflogFile): number => rank(a) - rank(b) || b.mtimeMs - a.mtimeMs;

const rank = ({ ref }: ReflogFile): number => (ref === 'HEAD' || ref === 'refs/stash' ? 0 : ref.startsWith('refs/heads/') ? 1 : 2);

const blobEntry = (name: string, id: ObjectId): TreeEntry => ({ mode: 0o100644, name: name as ByteString, id });

/** A name without slashes: `encodeURIComponent`, for any bytes. */
const encodeRef = (ref: ByteString): string =>
  ref.replace(/[^A-Za-z0-9\-_.!~*'()]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const decodeRef = (name: ByteString): ByteString =>
  name.replace(/%([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) as ByteString;

export interface ReflogBackups {
  /** The copies of each log, newest first, no two the same. */
  readonly copies: ReadonlyMap<ByteString, readonly BlobId[]>;
  /** Logs of which the newest backup has none, and how large they were. */
  readonly leftOut: readonly { readonly ref: ByteString; readonly bytes: number }[];
  readonly count: number;
}

/** Sessions looked back at. */
const NEWEST = 50;

/** What the newest backups hold; one that is damaged is passed over. */
export const readBackups = (workspace: Workspace): ReflogBackups => {
  if (!workspace.isProtected) return { copies: new Map(), leftOut: [], count: 0 };
  const { store, index } = workspace;
  const trees = index.sessionStarts(NEWEST).flatMap(({ id }) => unlessDamaged(() => store.log.reflog(id)));
  const copies = new Map<ByteString, Set<BlobId>>();
  const notes: ByteString[] = [];
  for (const tree of new Set(trees)) {
    for (const { name, id } of unlessDamaged(() => store.objects.readTree(tree)).flat()) {
      if (name === LEFT_OUT) {
        if (tree === trees[0]) notes.push(...readCopy(workspace, id as BlobId));
      } else copies.set(decodeRef(name), (copies.get(decodeRef(name)) ?? new Set()).add(id as BlobId));
    }
  }
  return {
    copies: new Map([...copies].map(([ref, blobs]) => [ref, [...blobs]])),
    leftOut: notes.flatMap((note) => JSON.parse(toBytes(note).toString())),
    count: trees.length,
  };
};

/** The copy, or nothing where it is damaged. */
export const readCopy = ({ store }: Workspace, id: BlobId): ByteString[] => unlessDamaged(() => fromBytes(store.objects.readBlob(id)));

const unlessDamaged = <T>(read: () => T | undefined): T[] => {
  try {
    const value = read();
    return value === undefined ? [] : [value];
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return [];
    throw error;
  }
};
