import { type ByteString, fromBytes } from '../../model/index.ts';
import { shortRef } from '../commits/ref-names.ts';
import { readPlainFile } from '../plain-file.ts';
import type { UserRepository } from '../repository.ts';
import { reflogsByGit } from './reflog-by-git.ts';
import { hasReftables, reflogFiles } from './reflog-files.ts';
import { parseReflogLine, type ReflogLine, splitLines } from './reflog-line.ts';

export interface ReflogEntry extends ReflogLine {
  readonly ref: ByteString;
  /** How git is asked for it, such as `HEAD@{3}`. */
  readonly selector: ByteString;
  /** What moved the ref: `commit`, `reset`, `rebase (finish)` … Empty where the note does not tell. */
  readonly action: string;
  readonly message: string;
}

export interface Reflogs {
  /** Log by log, each from its newest entry on. */
  readonly entries: readonly ReflogEntry[];
  /** Lines that are no entries. */
  readonly garbage: number;
  /** Logs that are there and can't be read. */
  readonly unreadable: readonly ByteString[];
  /** On disk; null where that can't be told. */
  readonly bytes: number | null;
}

/** Every reflog that this worktree sees: of its HEAD, of branches, of the stash. */
export const readReflogs = async (repository: UserRepository): Promise<Reflogs> => {
  if (!hasReftables(repository)) return readFiles(repository);
  const logs = await reflogsByGit(repository);
  return { entries: [...logs].flatMap(([ref, lines]) => entriesOf(ref, lines)), garbage: 0, unreadable: [], bytes: null };
};

const readFiles = (repository: UserRepository): Reflogs => {
  const entries: ReflogEntry[] = [];
  const unreadable: ByteString[] = [];
  let garbage = 0;
  let bytes = 0;
  for (const { ref, path } of reflogFiles(repository)) {
    const file = readPlainFile(path, { follow: false });
    if (file === 'unreadable') unreadable.push(ref);
    if (typeof file === 'string') continue;
    const lines = splitLines(fromBytes(file.bytes)).map((line) => parseReflogLine(line, idLength(repository)));
    const sound = lines.filter((line) => line !== undefined);
    garbage += lines.length - sound.length;
    bytes += file.bytes.length;
    for (const entry of entriesOf(ref, sound)) entries.push(entry);
  }
  return { entries, garbage, unreadable, bytes };
};

/** How many digits an id has. */
export const idLength = ({ objectFormat }: UserRepository): number => (objectFormat === 'sha256' ? 64 : 40);

export const entriesOf = (ref: ByteString, lines: readonly ReflogLine[]): ReflogEntry[] => {
  const name = shortRef(ref);
  const newest = lines.length - 1;
  return lines
    .map((line, at) => ({ ...line, ref, selector: `${name}@{${newest - at}}` as ByteString, ...parted(ref, line.note) }))
    .reverse();
};

const parted = (ref: ByteString, note: string): { action: string; message: string } => {
  if (ref === 'refs/stash') return { action: 'stash', message: note };
  const colon = /:(?: |$)/.exec(note);
  if (colon === null) return { action: '', message: note };
  return { action: note.slice(0, colon.index), message: note.slice(colon.index + colon[0].length) };
};
