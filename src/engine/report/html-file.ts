import { type Hunk, isTerminated } from '../../diff/text/index.ts';
import { toText } from '../../model/index.ts';
import { escaped, escapedLine } from './html-escape.ts';
import type { ReportFile } from './report-file.ts';
import type { ShownText } from './showing.ts';
import { countText, headingOf, lineText, NO_NEWLINE, NOTES, sharedText } from './words.ts';

/** A file with its change, folded or not. */
export function* fileBlock(file: ReportFile, text: ShownText, isOpen: boolean): Generator<string> {
  const shared = sharedText(file.shared);
  const counts = file.binary
    ? '<span class="count">binary</span>'
    : `<span class="count"><span class="plus">+${file.insertions.toLocaleString('en')}</span> <span class="minus">−${file.deletions.toLocaleString('en')}</span></span>`;
  yield `<details class="file"${isOpen ? ' open' : ''}><summary><span class="path">${escapedLine(toText(file.path))}</span><span class="status ${file.status}">${file.status}</span>${counts}</summary>\n`;
  if (shared !== null) yield `<p class="note">${escapedLine(shared)}</p>\n`;
  if (text.is === 'lines') {
    if (text.hunks.length > 0) yield* diffLines(text.hunks);
    if (text.hidden > 0) yield `<p class="note">${countText(text.hidden, 'more line')} not shown</p>\n`;
  } else yield `<p class="note">${escaped(NOTES[text.is])}</p>\n`;
  yield '</details>\n';
}

const CLASSES = { context: 'c', add: 'a', remove: 'r' } as const;

/** One element a line; the numbers beside it are no part of its text, so that what is copied is the diff. */
function* diffLines(hunks: readonly Hunk[]): Generator<string> {
  yield '<pre class="diff"><code>';
  for (const hunk of hunks) {
    yield `<span class="h">${escapedLine(headingOf(hunk))}\n</span>`;
    let [old, now] = [hunk.oldStart, hunk.newStart];
    for (const line of hunk.lines) {
      const { kind, text } = line;
      const numbers = `${numbered(kind === 'add' ? null : old)} ${numbered(kind === 'remove' ? null : now)}`;
      if (kind !== 'add') old++;
      if (kind !== 'remove') now++;
      yield `<span class="${CLASSES[kind]}" data-n="${numbers}">${escaped(lineText(line))}\n</span>`;
      if (!isTerminated(text)) yield `<span class="h">${NO_NEWLINE}\n</span>`;
    }
  }
  yield '</code></pre>\n';
}

const numbered = (line: number | null): string => (line === null ? '' : String(line)).padStart(4);
