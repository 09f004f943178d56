import type { DiffHunk, DiffLine, Plan } from '../client/types.ts';

/** A line with its numbers. */
export interface NumberedLine {
  readonly line: DiffLine;
  /** On the old side; null for one that was added. */
  readonly old: number | null;
  /** On the new side; null for one that was removed. */
  readonly new: number | null;
}

/** Where the lines of a hunk begin that are here. With none on a side its start is the line before. */
export const firstNumbers = ({ part, oldStart, oldLines, newStart, newLines }: DiffHunk): readonly [old: number, fresh: number] =>
  part === undefined ? [oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart] : [part.oldLine, part.newLine];

export const numberLines = (hunk: DiffHunk): NumberedLine[] => {
  let [old, fresh] = firstNumbers(hunk);
  return hunk.lines.map((line) => ({
    line,
    old: line.kind === 'add' ? null : old++,
    new: line.kind === 'remove' ? null : fresh++,
  }));
};

const isSame = (a: DiffHunk, b: DiffHunk): boolean =>
  a.oldStart === b.oldStart && a.oldLines === b.oldLines && a.newStart === b.newStart && a.newLines === b.newLines;

/** Hunks that were read in several goes as if they had been read in one. */
export const joinHunks = (pages: readonly (readonly DiffHunk[])[]): DiffHunk[] => {
  const [first = [], ...others] = pages;
  const all = [...first];
  for (const page of others)
    for (const hunk of page) {
      const last = all.at(-1);
      const isContinued = hunk.part !== undefined && last !== undefined && isSame(last, hunk);
      if (isContinued) all[all.length - 1] = { ...last, lines: [...last.lines, ...hunk.lines] };
      else all.push(hunk);
    }
  return all;
};

/** Whether all lines of the hunk are here, and whole. */
export const isWhole = ({ oldLines, newLines, part, lines }: DiffHunk): boolean => {
  if (part !== undefined || lines.length < Math.max(oldLines, newLines)) return false;
  let [old, fresh] = [0, 0];
  for (const { kind, bytes } of lines) {
    if (bytes !== undefined) return false;
    if (kind !== 'add') old++;
    if (kind !== 'remove') fresh++;
  }
  return old === oldLines && fresh === newLines;
};

const SIGNS = { context: ' ', add: '+', remove: '-' } as const;

const range = (start: number, lines: number): string => (lines === 1 ? String(start) : `${start},${lines}`);

/** `@@ -1,3 +1,4 @@`, as in a patch. */
export const hunkRange = ({
  oldStart,
  oldLines,
  newStart,
  newLines,
}: Pick<DiffHunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'>): string =>
  `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;

/** The hunk as it stands in a patch. */
export const hunkText = (hunk: DiffHunk): string =>
  [
    `${hunkRange(hunk)}${hunk.section === '' ? '' : ` ${hunk.section}`}`,
    ...hunk.lines.flatMap(({ kind, text, noNewline }) => [`${SIGNS[kind]}${text}`, ...(noNewline ? ['\\ No newline at end of file'] : [])]),
    '',
  ].join('\n');

type PlanHunk = NonNullable<Plan['operations'][number]['hunks']>[number];

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'add', '-': 'remove' };

/** The hunks of a plan's step in the form of a difference: from the present to what the plan makes of it. */
export const hunksOfPlan = (hunks: readonly PlanHunk[]): DiffHunk[] =>
  hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    section: '',
    lines: lines.map((signed) => {
      const isEnded = signed.endsWith('\n');
      return {
        kind: KINDS[signed[0] ?? ''] ?? 'context',
        text: signed.slice(1, isEnded ? -1 : undefined),
        ...(isEnded ? {} : { noNewline: true as const }),
      };
    }),
  }));
