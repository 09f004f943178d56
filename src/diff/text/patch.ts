import { assertNever, type ByteString, type ObjectId, type RelativePath } from '../../model/index.ts';
import { binaryPatch } from './binary-patch.ts';
import { hunksBetween } from './choose-hunks.ts';
import { type Hunk, signedLine } from './hunks.ts';
import { isBinary, isTerminated } from './lines.ts';
import { quotePath } from './quote-path.ts';

export type FileMode = '100644' | '100755' | '120000';

export interface FileChange {
  readonly path: RelativePath;
  readonly status: 'added' | 'modified' | 'deleted' | 'mode' | 'type';
  /** A plain file when not given. */
  readonly oldMode?: FileMode;
  readonly newMode?: FileMode;
  /** Whole ids: with them, git can even apply the change of a binary file, if it has the blob. */
  readonly oldId?: ObjectId;
  readonly newId?: ObjectId;
  /** The content, a symbolic link's target; null where there is none. Not needed when only the mode changed. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

const NO_ID = '0'.repeat(40);
const PLAIN = '100644';
const EMPTY = Buffer.alloc(0);
const NOTHING = '/dev/null' as ByteString;

/** What stands in a line of its own above a hunk, the first of a file being number 1; null leaves the hunk out. */
type HunkHeading = (hunk: Hunk, number: number) => ByteString | null;

export interface PatchOptions {
  readonly heading?: HunkHeading | undefined;
  /** With the bytes of what is no text, for programs; people are told that it differs. */
  readonly binary?: boolean;
}

/** The change as `git diff --full-index` says it and, without headings, `git apply` takes it; empty when git has no words for it. */
export const renderPatch = (change: FileChange, options: PatchOptions = {}): Buffer => {
  const out = new Output();
  for (const part of partsOf(change)) writePart(out, change.path, part, options);
  return out.bytes();
};

/** What stands under one `diff --git` line. */
interface Part {
  readonly header: readonly string[];
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

const partsOf = (change: FileChange): Part[] => {
  switch (change.status) {
    case 'added':
      return [creation(change)];
    case 'deleted':
      return [deletion(change)];
    case 'type':
      // Git has no word for "became a link": it goes, and comes back as something else.
      return [deletion(change), creation(change)];
    case 'mode':
    case 'modified':
      return modification(change);
    default:
      return assertNever(change.status);
  }
};

const creation = ({ newMode = PLAIN, newId, after }: FileChange): Part => ({
  header: [`new file mode ${newMode}`, ...indexLine(newId && NO_ID, newId)],
  before: null,
  after: present(after),
});

const deletion = ({ oldMode = PLAIN, oldId, before }: FileChange): Part => ({
  header: [`deleted file mode ${oldMode}`, ...indexLine(oldId, oldId && NO_ID)],
  before: present(before),
  after: null,
});

const modification = ({ status, oldMode = PLAIN, newMode = PLAIN, oldId, newId, before, after }: FileChange): Part[] => {
  const chmod = oldMode === newMode ? [] : [`old mode ${oldMode}`, `new mode ${newMode}`];
  if (status === 'mode' || present(before).equals(present(after))) {
    return chmod.length === 0 ? [] : [{ header: chmod, before: null, after: null }];
  }
  const index = indexLine(oldId, newId, chmod.length === 0 ? ` ${oldMode}` : '');
  return [{ header: [...chmod, ...index], before, after }];
};

const present = (content: Buffer | null): Buffer => {
  if (content === null) throw new Error('a patch needs the content on both sides of a change');
  return content;
};

const indexLine = (oldId: string | undefined, newId: string | undefined, mode = ''): string[] =>
  oldId === undefined || newId === undefined ? [] : [`index ${oldId}..${newId}${mode}`];

const writePart = (out: Output, path: RelativePath, { header, before, after }: Part, { heading, binary = false }: PatchOptions): void => {
  const a = quotePath(`a/${path}` as ByteString);
  const b = quotePath(`b/${path}` as ByteString);
  for (const line of [`diff --git ${a} ${b}`, ...header]) out.write(`${line}\n`);
  const oldName = before === null ? NOTHING : a;
  const newName = after === null ? NOTHING : b;
  const oldBytes = before ?? EMPTY;
  const newBytes = after ?? EMPTY;
  if (isBinary(oldBytes) || isBinary(newBytes)) {
    if (binary) for (const line of binaryPatch(oldBytes, newBytes)) out.write(line);
    else out.write(`Binary files ${oldName} and ${newName} differ\n`);
    return;
  }
  const hunks = hunksBetween(oldBytes, newBytes);
  if (hunks.length > 0) out.write(`--- ${oldName}${tab(oldName)}\n+++ ${newName}${tab(newName)}\n`);
  for (const [at, hunk] of hunks.entries()) {
    const line = heading?.(hunk, at + 1);
    if (line === null) continue;
    if (line !== undefined) out.write(`${line}\n`);
    writeHunk(out, hunk);
  }
};

/** Ends a name that has spaces, as a time stamp might follow it. */
const tab = (name: ByteString): string => (name.includes(' ') ? '\t' : '');

const writeHunk = (out: Output, hunk: Hunk): void => {
  const section = hunk.section === '' ? '' : ` ${hunk.section}`;
  out.write(`@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@${section}\n`);
  for (const line of hunk.lines) {
    out.write(signedLine(line));
    if (!isTerminated(line.text)) out.write('\n\\ No newline at end of file\n');
  }
};

const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`);

const CHUNK = 2 ** 20;

/** Gathers byte strings; in pieces, because a patch may be longer than a string can be. */
class Output {
  private readonly chunks: Buffer[] = [];
  private text = '';

  write(text: string): void {
    this.text += text;
    if (this.text.length >= CHUNK) this.flush();
  }

  bytes(): Buffer {
    this.flush();
    return Buffer.concat(this.chunks);
  }

  private flush(): void {
    this.chunks.push(Buffer.from(this.text, 'latin1'));
    this.text = '';
  }
}
