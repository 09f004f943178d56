/** The places of a text that two sides made differently, read from between the markers that a merge puts around them. */

export interface Place {
  readonly ours: readonly string[];
  /** What both began with; null where the markers do not tell. */
  readonly base: readonly string[] | null;
  readonly theirs: readonly string[];
}

export interface Marked {
  /** What the sides are called, where the markers say so. */
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  readonly places: readonly Place[];
  /** There is more than is told here. */
  readonly isCut: boolean;
}

const BEGIN = /^<{7}(?: (.*))?$/;
const BASE = /^\|{7}(?: (.*))?$/;
const MIDDLE = /^={7}$/;
const END = /^>{7}(?: (.*))?$/;

interface Open {
  readonly ours: string[];
  base: string[] | null;
  readonly theirs: string[];
  side: 'ours' | 'base' | 'theirs';
}

export const readMarked = (text: string): Marked => {
  const lines = text.replace(/\n$/, '').split('\n');
  const isCut = lines.at(-1) === '…';
  const places: Place[] = [];
  const labels: { ours?: string | undefined; theirs?: string | undefined } = {};
  let open: Open | undefined;
  const close = (): void => {
    if (open !== undefined) places.push({ ours: open.ours, base: open.base, theirs: open.theirs });
    open = undefined;
  };
  for (const raw of isCut ? lines.slice(0, -1) : lines) {
    const line = raw.replace(/\r$/, '');
    const [begin, end] = [BEGIN.exec(line), END.exec(line)];
    if (open === undefined) {
      if (begin === null) continue;
      labels.ours ??= begin[1];
      open = { ours: [], base: null, theirs: [], side: 'ours' };
    } else if (open.side === 'ours' && BASE.test(line)) {
      open.base = [];
      open.side = 'base';
    } else if (open.side !== 'theirs' && MIDDLE.test(line)) open.side = 'theirs';
    else if (open.side === 'theirs' && end !== null) {
      labels.theirs ??= end[1];
      close();
    } else if (open.side === 'base') open.base?.push(line);
    else open[open.side].push(line);
  }
  close();
  return { ours: labels.ours, theirs: labels.theirs, places, isCut };
};
