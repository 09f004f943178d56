import { type RelativePath, RetakeError } from '../../model/index.ts';
import { type Columns, FIELD, FLAG, flagsOf, moreFlagsOf, stageOf } from './index-format.ts';

/** One entry of the user's index, without the file's stat data, which are only a cache. */
export interface StagedEntry {
  /** From the repository's top; a directory that a sparse index has folded ends with `/`. */
  readonly path: RelativePath;
  readonly mode: number;
  readonly id: string;
  /** 0 for a merged file; 1 to 3 for the sides of a conflict. */
  readonly stage: 0 | 1 | 2 | 3;
  readonly intentToAdd: boolean;
  readonly skipWorktree: boolean;
  readonly assumeUnchanged: boolean;
}

/** On average this many entries in a chunk; a power of two. */
const CHUNK = 512;

/** An entry without its id and path: a mode of six digits, two spaces, the stage, TAB and NUL. */
const FRAME = 11;

/**
 * What is staged, in chunks of the text that `git update-index -z --index-info` reads. A path's hash decides whether a chunk
 * ends after it, so that a change of one entry changes one chunk, and a store that names content by its hash has the others
 * already. Flags, if there are any, are in a last chunk of their own: `letters SP stage TAB path NUL`.
 */
export const encodeColumns = (columns: Columns): Buffer[] => {
  const { bytes, entries, hashSize, names, nameStarts, nameEnds } = columns;
  let size = entries.length * (FRAME + 2 * hashSize);
  for (let i = 0; i < entries.length; i++) size += (nameEnds[i] as number) - (nameStarts[i] as number);
  const text = Buffer.allocUnsafe(size);
  const chunks: Buffer[] = [];
  let flags = '';
  let start = 0;
  let at = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as number;
    // Method calls for each would be most of the time that all this takes.
    const mode = ((bytes[entry + FIELD.mode + 2] as number) << 8) | (bytes[entry + FIELD.mode + 3] as number);
    const high = bytes[entry + FIELD.id + hashSize] as number;
    for (let shift = 15; shift >= 0; shift -= 3) text[at++] = 0x30 + ((mode >> shift) & 7);
    text[at++] = 0x20;
    for (let k = entry + FIELD.id; k < entry + FIELD.id + hashSize; k++) {
      const byte = bytes[k] as number;
      text[at++] = HEX[byte >> 4] as number;
      text[at++] = HEX[byte & 15] as number;
    }
    text[at++] = 0x20;
    text[at++] = 0x30 + ((high >> 4) & 3);
    text[at++] = 0x09;
    let hash = 0x811c9dc5;
    for (let k = nameStarts[i] as number; k < (nameEnds[i] as number); k++) {
      const byte = names[k] as number;
      text[at++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    text[at++] = 0;
    if (((hash ^ (hash >>> 15)) & (CHUNK - 1)) === 0) {
      chunks.push(text.subarray(start, at));
      start = at;
    }
    const letters = high & ANY_FLAG ? lettersOf(columns, i) : '';
    if (letters !== '') flags += `${letters} ${stageOf(columns, i)}\t${names.toString('latin1', nameStarts[i], nameEnds[i])}\0`;
  }
  if (at > start) chunks.push(text.subarray(start, at));
  if (flags !== '') chunks.push(Buffer.from(flags, 'latin1'));
  return chunks;
};

/** In the upper byte of the flags. */
const ANY_FLAG = (FLAG.assumeUnchanged | FLAG.extended) >> 8;

const HEX = Buffer.from('0123456789abcdef');

const lettersOf = (columns: Columns, i: number): string => {
  const more = moreFlagsOf(columns, i);
  return `${flagsOf(columns, i) & FLAG.assumeUnchanged ? 'a' : ''}${more & FLAG.intentToAdd ? 'i' : ''}${more & FLAG.skipWorktree ? 's' : ''}`;
};

/** The same of entries in git's order, in one piece. */
export const encodeEntries = (entries: readonly StagedEntry[]): Buffer[] => {
  const lettersOf = ({ assumeUnchanged, intentToAdd, skipWorktree }: StagedEntry): string =>
    `${assumeUnchanged ? 'a' : ''}${intentToAdd ? 'i' : ''}${skipWorktree ? 's' : ''}`;
  const text = entries.map(({ mode, id, stage, path }) => `${mode.toString(8).padStart(6, '0')} ${id} ${stage}\t${path}\0`);
  const flags = entries.flatMap((entry) => (lettersOf(entry) === '' ? [] : [`${lettersOf(entry)} ${entry.stage}\t${entry.path}\0`]));
  return [text, flags].filter((part) => part.length > 0).map((part) => Buffer.from(part.join(''), 'latin1'));
};

const ENTRY = /^([0-7]{6}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-3])\t(.+)$/s;
const FLAGS = /^(a?i?s?) ([0-3]\t.+)$/s;

export const decodeStaging = (chunks: readonly Buffer[]): StagedEntry[] => {
  const last = chunks.at(-1);
  // Modes begin with a digit, flags with a letter.
  const hasFlags = last !== undefined && (last[0] as number) > 0x39;
  const flags = new Map(hasFlags ? recordsOf(last).map((record) => parsed(FLAGS, record).slice(1).toReversed() as [string, string]) : []);
  return (hasFlags ? chunks.slice(0, -1) : chunks).flatMap((chunk) =>
    recordsOf(chunk).map((record): StagedEntry => {
      const [, mode = '', id = '', stage, path = ''] = parsed(ENTRY, record);
      const letters = flags.get(`${stage}\t${path}`) ?? '';
      return {
        path: path as RelativePath,
        mode: Number.parseInt(mode, 8),
        id,
        stage: Number(stage) as StagedEntry['stage'],
        intentToAdd: letters.includes('i'),
        skipWorktree: letters.includes('s'),
        assumeUnchanged: letters.includes('a'),
      };
    }),
  );
};

const recordsOf = (chunk: Buffer): string[] => {
  const records = chunk.toString('latin1').split('\0');
  if (records.pop() !== '') throw damaged();
  return records;
};

const parsed = (pattern: RegExp, record: string): RegExpExecArray => {
  const found = pattern.exec(record);
  if (found === null) throw damaged();
  return found;
};

const damaged = (): RetakeError => new RetakeError('store-damaged', 'What was recorded of the git index is damaged');
