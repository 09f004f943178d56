import type { ChainLine } from './line.ts';

/** The lines of a file by their ids, and which line each one really follows. */
export interface Ancestry {
  readonly lines: readonly ChainLine[];
  /** Parents before children, otherwise in the order of the file. */
  readonly ordered: readonly ChainLine[];
  parentOf(line: ChainLine): ChainLine | undefined;
  /** Lines that name a parent which the file does not have. */
  readonly orphans: number;
  /** Places where ids led in a circle, which was opened at its first line. */
  readonly cycles: number;
}

/** Ids must be unique among `lines`. */
export const ancestry = (lines: readonly ChainLine[]): Ancestry => {
  const byId = new Map(lines.map((line) => [line.uuid, line]));
  const place = new Map(lines.map((line, index) => [line, index]));
  const opened = new Set<ChainLine>();
  const parentOf = (line: ChainLine): ChainLine | undefined =>
    line.parent === null || opened.has(line) ? undefined : byId.get(line.parent);

  const done = new Set<ChainLine>();
  const ordered: ChainLine[] = [];
  for (const line of lines) {
    let path = climb(line, parentOf, done);
    while (path.circle !== undefined) {
      const first = path.circle.reduce((a, b) => ((place.get(a) ?? 0) <= (place.get(b) ?? 0) ? a : b));
      opened.add(first);
      path = climb(line, parentOf, done);
    }
    for (const next of path.lines.reverse()) {
      done.add(next);
      ordered.push(next);
    }
  }
  return {
    lines,
    ordered,
    parentOf,
    orphans: lines.filter((line) => line.parent !== null && !byId.has(line.parent)).length,
    cycles: opened.size,
  };
};

/** From a line up to one that is done, or to the root; the circle it runs into, if any. */
const climb = (
  from: ChainLine,
  parentOf: (line: ChainLine) => ChainLine | undefined,
  done: ReadonlySet<ChainLine>,
): { lines: ChainLine[]; circle?: ChainLine[] } => {
  const path = new Set<ChainLine>();
  let line: ChainLine | undefined = from;
  while (line !== undefined && !done.has(line)) {
    if (path.has(line)) {
      const lines = [...path];
      return { lines, circle: lines.slice(lines.indexOf(line)) };
    }
    path.add(line);
    line = parentOf(line);
  }
  return { lines: [...path] };
};
