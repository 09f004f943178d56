import type { DiffFile, PlanStep } from '../client/types.ts';

/** What a plan does to the lines of one file, in short. */

export interface LookLine {
  readonly kind: 'context' | 'add' | 'remove' | 'gap';
  readonly text: string;
}

export interface Looked {
  readonly lines: readonly LookLine[];
  /** There is more than these. */
  readonly isCut: boolean;
  /** In place of lines. */
  readonly note?: string;
}

/** Enough to know what it is about. */
const MOST = 300;

const short = (lines: readonly LookLine[], isCut: boolean): Looked => ({
  lines: lines.slice(0, MOST),
  isCut: isCut || lines.length > MOST,
});

const GAP: LookLine = { kind: 'gap', text: '' };

const withGaps = (hunks: readonly (readonly LookLine[])[]): LookLine[] =>
  hunks.flatMap((lines, at) => (at === 0 ? lines : [GAP, ...lines]));

const TURNED = { context: 'context', add: 'remove', remove: 'add' } as const;

/** The difference from a state to the present, turned around: what going there does. */
export const lookAtDifference = (file: DiffFile | undefined): Looked => {
  if (file === undefined) return { lines: [], isCut: false, note: 'This file is there already as it was.' };
  if (file.binary) return { lines: [], isCut: false, note: 'This is not text: it is taken as a whole.' };
  const hunks = (file.hunks ?? []).map(({ lines }) =>
    removedFirst(lines.map(({ kind, text }): LookLine => ({ kind: TURNED[kind], text }))),
  );
  if (hunks.length === 0)
    return { lines: [], isCut: false, note: file.status === 'mode' ? 'Only its permissions change.' : 'It has no lines.' };
  return short(withGaps(hunks), file.cut !== undefined);
};

/** As diffs are read: what goes, then what comes in its place. */
const removedFirst = (lines: readonly LookLine[]): LookLine[] => {
  const result: LookLine[] = [];
  let added: LookLine[] = [];
  for (const line of lines) {
    if (line.kind === 'add') {
      added.push(line);
      continue;
    }
    if (line.kind === 'context') {
      result.push(...added);
      added = [];
    }
    result.push(line);
  }
  return [...result, ...added];
};

const SIGNS: Readonly<Record<string, LookLine['kind']>> = { '+': 'add', '-': 'remove', ' ': 'context' };

/** The parts of a file as the plan itself tells them. */
export const lookAtHunks = (hunks: PlanStep['hunks']): Looked => {
  if (hunks === undefined || hunks.length === 0) return { lines: [], isCut: false, note: 'It is taken as a whole.' };
  const read = (line: string): LookLine => ({ kind: SIGNS[line[0] ?? ' '] ?? 'context', text: line.slice(1).replace(/\r?\n$/, '') });
  return short(withGaps(hunks.map(({ lines }) => lines.map(read))), false);
};
