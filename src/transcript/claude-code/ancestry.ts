import type { ChainLine } from './line.ts';

/** The lines of a file by their ids, and which line each one really follows. */
export interface Ancestry {
  /** In the order of the file. */
  readonly lines: readonly ChainLine[];
  /** Parents before children, otherwise in the order of the file. */
  readonly ordered: readonly ChainLine[];
  parentOf(line: ChainLine): ChainLine | undefined;
  /** Adds a line that was written since. False when it changes what other lines follow, so that all must be looked at anew. */
  extend(line: ChainLine): boolean;
  /** Lines that name a parent which the file does not have. */
  orphans(): number;
  /** Places where ids led in a circle, which was opened at its first line. */
  cycles(): number;
}

/** Ids must be unique among `lines`. */
export const ancestry = (known: readonly ChainLine[]): Ancestry => {
  const lines = [...known];
  const byId = new Map(lines.map((line) => [line.uuid, line]));
  const missing = new Set<string>();
  let orphans = 0;
  const noteOrphan = (line: ChainLine): void => {
    if (line.parent === null || byId.has(line.parent)) return;
    missing.add(line.parent);
    orphans++;
  };
  const opened = new Set<ChainLine>();
  const compacted = new Map(
    lines.flatMap((line, index) => (line.preserved === null ? [] : followedByCompaction(line, lines.slice(0, index), byId))),
  );
  const parentOf = (line: ChainLine): ChainLine | undefined => {
    if (opened.has(line)) return undefined;
    return compacted.get(line) ?? (line.parent === null ? undefined : byId.get(line.parent));
  };

  const done = new Set<ChainLine>();
  const ordered: ChainLine[] = [];
  for (const line of lines) {
    const parent = parentOf(line);
    // Nearly always: the lines of a file follow lines above them.
    if (parent === undefined || done.has(parent)) {
      if (!done.has(line)) ordered.push(line);
      done.add(line);
      continue;
    }
    let path = climb(line, parentOf, done);
    while (path.circle !== undefined) {
      opened.add(path.circle.reduce((first, each) => (each.start < first.start ? each : first)));
      path = climb(line, parentOf, done);
    }
    for (const next of path.lines.reverse()) {
      done.add(next);
      ordered.push(next);
    }
  }
  for (const line of lines) noteOrphan(line);
  return {
    lines,
    ordered,
    parentOf,
    extend: (line) => {
      if (line.preserved !== null || line.parent === line.uuid || missing.has(line.uuid)) return false;
      lines.push(line);
      ordered.push(line);
      byId.set(line.uuid, line);
      noteOrphan(line);
      return true;
    },
    orphans: () => orphans,
    cycles: () => opened.size,
  };
};

/**
 * A compaction follows what it stands for, whatever part of it the client keeps: otherwise the next prompt and the compacted ones
 * would look like two branches. The lines it keeps are a part in the middle, with the summary told last, or the end.
 */
const followedByCompaction = (
  line: ChainLine,
  before: readonly ChainLine[],
  byId: ReadonlyMap<string, ChainLine>,
): [ChainLine, ChainLine][] => {
  const tail = line.preserved === null ? undefined : byId.get(line.preserved.tail);
  if (tail === undefined || tail === line) return [];
  const last = line.preserved?.summaryLast ? before.findLast((each) => !each.sideChain) : undefined;
  return [[line, last !== undefined && leadsTo(last, tail, byId) ? last : tail]];
};

const leadsTo = (from: ChainLine, to: ChainLine, byId: ReadonlyMap<string, ChainLine>): boolean => {
  const seen = new Set<ChainLine>();
  let line: ChainLine | undefined = from;
  while (line !== undefined && line !== to && !seen.has(line)) {
    seen.add(line);
    line = line.parent === null ? undefined : byId.get(line.parent);
  }
  return line === to;
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
