import { closeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { effects, readIfExists } from '../../host/index.ts';
import type { SessionId } from '../../model/index.ts';
import type { ContinuationSource, Subagent } from '../format.ts';
import { LineReader, readSpan, type Span } from '../line-reader.ts';
import { parseLine } from './line.ts';
import { movedTo } from './moved.ts';
import { backupsOf, companionsOf, subagentsOf } from './places.ts';
import type { ContinuationPlan } from './plan.ts';

/**
 * Takes along what the client looks for under the session's id: subagents, which can be asked again, and the copies of users' files
 * for its own rewind. Long results of tools stay where they are: lines name them by their whole path.
 */
export const carryAlong = (source: ContinuationSource, path: string, session: SessionId, plan: ContinuationPlan): void => {
  carrySubagents(source, path, session, plan.calls);
  carryBackups(source, path, plan.backups);
};

const carrySubagents = (source: ContinuationSource, path: string, session: SessionId, calls: ReadonlySet<string>): void => {
  const folder = join(companionsOf(path), 'subagents');
  const known = new Set(calls);
  const waiting = new Set(subagentsOf(source.path));
  // A subagent's calls may have started others.
  for (let next = startedBy(known, waiting); next !== undefined; next = startedBy(known, waiting)) {
    waiting.delete(next);
    effects.makeDirectories(folder);
    for (const call of copySubagent(next, join(folder, basename(next.path)), source.session, session)) known.add(call);
    const about = next.path.replace(/\.jsonl$/, '.meta.json');
    const bytes = readIfExists(about);
    if (bytes !== undefined) writeNew(join(folder, basename(about)), [bytes]);
  }
};

const startedBy = (calls: ReadonlySet<string>, subagents: ReadonlySet<Subagent>): Subagent | undefined =>
  [...subagents].find(({ toolUseId }) => toolUseId !== null && calls.has(toolUseId));

/** Returns the calls in it. */
const copySubagent = (subagent: Subagent, path: string, old: SessionId, session: SessionId): string[] => {
  const reader = new LineReader(subagent.path);
  const spans: Span[] = [];
  const calls: string[] = [];
  reader.read({
    restart: () => undefined,
    oversized: () => undefined,
    line: (source) => {
      const parsed = parseLine(source);
      if (parsed.type === 'unreadable') return;
      spans.push(parsed.line);
      if (parsed.type === 'chain' && parsed.line.says.type === 'reply') calls.push(...parsed.line.says.calls.map((call) => call.id));
    },
  });
  const fd = reader.openSame();
  try {
    writeNew(path, movedLines(fd, spans, old, session));
  } finally {
    closeSync(fd);
  }
  return calls;
};

/** One at a time: together they may be large. */
function* movedLines(fd: number, spans: readonly Span[], old: SessionId, session: SessionId): Generator<Uint8Array> {
  for (const span of spans) yield Buffer.from(`${movedTo(session, old, readSpan(fd, span))}\n`, 'latin1');
}

const carryBackups = (source: ContinuationSource, path: string, names: ReadonlySet<string>): void => {
  const [from, to] = [backupsOf(source.path), backupsOf(path)];
  for (const name of names) {
    // Names come from a file that anyone may have written.
    const bytes = /^[\w@-]+$/.test(name) ? readIfExists(join(from, name)) : undefined;
    if (bytes === undefined) continue;
    effects.makeDirectories(to);
    writeNew(join(to, name), [bytes]);
  }
};

const writeNew = (path: string, parts: Iterable<Uint8Array>): void => {
  const fd = effects.createFile(path, 0o600);
  try {
    for (const bytes of parts) effects.writeAll(fd, bytes, path);
  } finally {
    effects.close(fd);
  }
};
