import { createHash } from 'node:crypto';
import { assertOrdered, FIELD, FLAG, HEADER, parseIndex } from './index-format.ts';
import type { StagedEntry } from './staging.ts';

const SPARSE_DIRECTORY = 0o040000;

/** Fills in what is known of an entry's file, in the form the index has; what it leaves as zeros git looks up. */
type StatSource = (entry: StagedEntry, to: Buffer, start: number) => void;

/** An index file with these entries, which must be in git's order: version 3 where it must be, else 2. */
export const indexBytes = (entries: readonly StagedEntry[], hashSize: number, copyStat: StatSource = () => {}): Buffer => {
  const sizes = entries.map((entry) => sizeOf(entry, hashSize));
  const isSparse = entries.some(({ mode }) => mode === SPARSE_DIRECTORY);
  const body = Buffer.alloc(sizes.reduce((sum, size) => sum + size, HEADER) + (isSparse ? 8 : 0));
  body.write('DIRC', 0, 'latin1');
  body.writeUInt32BE(entries.some(isExtended) ? 3 : 2, 4);
  body.writeUInt32BE(entries.length, 8);
  let at = HEADER;
  for (const [i, entry] of entries.entries()) {
    copyStat(entry, body, at);
    writeEntry(entry, hashSize, body, at);
    at += sizes[i] as number;
  }
  if (isSparse) body.write('sdir', at, 'latin1');
  const whole = Buffer.concat([
    body,
    createHash(hashSize === 20 ? 'sha1' : 'sha256')
      .update(body)
      .digest(),
  ]);
  assertOrdered(parseIndex(whole, hashSize).columns);
  return whole;
};

const isExtended = ({ intentToAdd, skipWorktree }: StagedEntry): boolean => intentToAdd || skipWorktree;

const nameAt = (entry: StagedEntry, hashSize: number): number => FIELD.id + hashSize + (isExtended(entry) ? 4 : 2);

/** At least one NUL after the name, up to a multiple of eight. */
const sizeOf = (entry: StagedEntry, hashSize: number): number => (nameAt(entry, hashSize) + entry.path.length + 8) & ~7;

const writeEntry = (entry: StagedEntry, hashSize: number, to: Buffer, at: number): void => {
  const { path, mode, id, stage, intentToAdd, skipWorktree, assumeUnchanged } = entry;
  const flagsAt = at + FIELD.id + hashSize;
  to.writeUInt32BE(mode, at + FIELD.mode);
  to.write(id, at + FIELD.id, hashSize, 'hex');
  to.writeUInt16BE(
    (assumeUnchanged ? FLAG.assumeUnchanged : 0) |
      (isExtended(entry) ? FLAG.extended : 0) |
      (stage << 12) |
      Math.min(path.length, FLAG.nameLength),
    flagsAt,
  );
  if (isExtended(entry)) to.writeUInt16BE((skipWorktree ? FLAG.skipWorktree : 0) | (intentToAdd ? FLAG.intentToAdd : 0), flagsAt + 2);
  to.write(path, at + nameAt(entry, hashSize), 'latin1');
};
