import { type DifferenceSubject, readDifference, type ShownFile, showHunks, type Workspace } from '../../engine/index.ts';
import { toText, type WorkspaceState } from '../../model/index.ts';
import { count, oneLine, paint, showPath } from '../output.ts';
import type { Place } from './places.ts';

/** What going back to a place would change, or what was changed there. */
export type Looking = 'return' | 'change';

/** A difference as the pane shows it: the files first, then their lines. */
export interface Sight {
  readonly lines: readonly string[];
  /** Where among them the lines of each file begin. */
  readonly files: readonly number[];
}

/** More files than anybody reads through here. */
const MOST_FILES = 200;

/** What the pane shows of a place. */
export const look = async (
  workspace: Workspace,
  place: Place,
  looking: Looking,
  options: { readonly present: () => Promise<WorkspaceState>; readonly signal?: AbortSignal },
): Promise<Sight> => {
  const subject = subjectOf(place, looking);
  if (subject === null) return { lines: [paint('dim', 'Retake has no record of the code there')], files: [] };
  return readDifference(workspace, subject, options, async (difference) => {
    const shown = await showHunks(difference, difference.changes.slice(0, MOST_FILES));
    return sightOf(shown, difference.changes.length);
  });
};

const subjectOf = ({ id, of }: Place, looking: Looking): DifferenceSubject | null => {
  if (id === null) return null;
  if (looking === 'return') return { of: 'records', to: id };
  if ('record' in of) return { of: 'step', step: id };
  return of.turn.last === null ? null : { of: 'records', from: id, to: of.turn.last };
};

const sightOf = (shown: readonly ShownFile[], total: number): Sight => {
  if (total === 0) return { lines: [paint('dim', 'No file differs')], files: [] };
  const lines = [count(total, 'file'), ...shown.map(({ file }) => fileLine(file))];
  if (total > shown.length) lines.push(paint('dim', `and ${total - shown.length} more, see retake diff`));
  const files: number[] = [];
  for (const one of shown) {
    lines.push('');
    files.push(lines.length);
    lines.push(...linesOf(one));
  }
  return { lines, files };
};

const STATUS = {
  added: ['green', 'A'],
  modified: ['yellow', 'M'],
  deleted: ['red', 'D'],
  mode: ['yellow', 'P'],
  type: ['yellow', 'T'],
} as const satisfies Record<ShownFile['file']['status'], readonly [string, string]>;

const fileLine = ({ path, status, insertions, deletions, binary }: ShownFile['file']): string => {
  const [colour, letter] = STATUS[status];
  const lines = binary ? 'binary' : `${paint('green', `+${insertions}`)} ${paint('red', `-${deletions}`)}`;
  return `${paint(colour, letter)} ${showPath(path)}  ${lines}`;
};

const SIGNS = { context: ' ', add: '+', remove: '-' } as const;

const linesOf = ({ file, seen }: ShownFile): string[] => {
  const lines = [paint('bold', `${STATUS[file.status][1]} ${showPath(file.path)}`)];
  if (file.binary) return [...lines, paint('dim', 'not text')];
  if (seen === null || seen.total === 0) return [...lines, paint('dim', 'no line differs')];
  for (const hunk of seen.hunks) {
    const place = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${toText(hunk.section)}`;
    lines.push(paint('cyan', plain(place)));
    for (const { kind, text } of hunk.lines) {
      const line = `${SIGNS[kind]}${plain(toText(text).replace(/\n$/, ''))}`;
      lines.push(kind === 'context' ? line : paint(kind === 'add' ? 'green' : 'red', line));
    }
  }
  const left = seen.total - seen.lines;
  return left > 0 ? [...lines, paint('dim', `and ${count(left, 'line')} more`)] : lines;
};

/** What is further right nobody sees. */
const WIDEST = 500;

const plain = (line: string): string => oneLine(line.slice(0, WIDEST).replaceAll('\t', '    '));
