import { type Hunk, seeHunks } from '../../diff/text/index.ts';
import { toText } from '../../model/index.ts';
import type { LeftOut, Report } from './report.ts';
import type { FileText, ReportFile } from './report-file.ts';

/** Lines shown of one file, and of all together: what is longer is read elsewhere. */
const MOST_OF_FILE = 400;
const MOST_OF_ALL = 20_000;

/** A diff as it is shown: perhaps the beginning of it alone. */
export type ShownText = Exclude<FileText, { is: 'lines' }> | ShownLines | { readonly is: 'no-room' };

interface ShownLines {
  readonly is: 'lines';
  readonly hunks: readonly Hunk[];
  readonly hidden: number;
}

/** Hands out diffs as long as there is room, and remembers what was left out, for the end of the report. */
export class Showing {
  #room = MOST_OF_ALL;
  readonly #leftOut = new Map<string, LeftOut>();

  constructor({ leftOut }: Pick<Report, 'leftOut'>) {
    for (const one of leftOut) this.#note(one);
  }

  get leftOut(): readonly LeftOut[] {
    return [...this.#leftOut.values()];
  }

  text(file: ReportFile): ShownText {
    const shown = this.#cut(file);
    const why = reasonFor(shown);
    if (why !== null) this.#note({ what: toText(file.path), why });
    return shown;
  }

  #cut(file: ReportFile): ShownText {
    if (this.#room === 0) return { is: 'no-room' };
    const text = file.text();
    if (text.is !== 'lines') return text;
    const { hunks, lines, total } = seeHunks(text.hunks, { skip: 0, most: Math.min(MOST_OF_FILE, this.#room) });
    this.#room -= lines;
    return { is: 'lines', hunks, hidden: total - lines };
  }

  #note(one: LeftOut): void {
    this.#leftOut.set(`${one.what}\0${one.why}`, one);
  }
}

const reasonFor = (shown: ShownText): string | null => {
  switch (shown.is) {
    case 'withheld':
      return 'its content is not to leave (setting export.exclude)';
    case 'binary':
      return 'it is binary';
    case 'damaged':
      return 'its content can not be read from the store';
    case 'large':
      return `it is too large to compare (${shown.bytes} bytes)`;
    case 'no-room':
      return `the report shows ${MOST_OF_ALL} lines of diffs at most`;
    case 'lines':
      return shown.hidden === 0 ? null : `${shown.hidden} more lines of its diff; ${MOST_OF_FILE} are shown of a file at most`;
    case 'mode':
      return null;
  }
};
