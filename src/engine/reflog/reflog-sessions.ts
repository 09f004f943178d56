import type { SessionId } from '../../model/index.ts';
import { readOutlines } from '../conversation/outlines.ts';
import type { Workspace } from '../core/workspace.ts';

/** When agents were at work here. */
export class SessionTimes {
  readonly #spans: readonly Span[];

  private constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** A session lasts from its first event to its last, or to what was said last where that is later. */
  static read(workspace: Workspace): SessionTimes {
    const spans = new Map<SessionId, Span>();
    const add = (id: SessionId, startedAt: string | null, lastAt: string | null): void => {
      const [from, to] = [Date.parse(startedAt ?? ''), Date.parse(lastAt ?? '')].map((time) => time / 1000);
      if (from === undefined || to === undefined || Number.isNaN(from + to)) return;
      const known = spans.get(id);
      spans.set(id, { id, from: Math.min(from, known?.from ?? from), to: Math.max(to, known?.to ?? to) });
    };
    const recorded = workspace.isProtected ? workspace.index.sessions() : [];
    // What was done elsewhere moved no branch here.
    const elsewhere = new Set(recorded.filter(({ line }) => line !== null).map(({ id }) => id));
    const spoken = readOutlines(workspace).map(({ session: id, startedAt, lastAt }) => ({ id, startedAt, lastAt }));
    for (const { id, startedAt, lastAt } of [...recorded, ...spoken]) if (!elsewhere.has(id)) add(id, startedAt, lastAt);
    return new SessionTimes([...spans.values()].sort((a, b) => b.from - a.from));
  }

  /** The sessions under way in a second, the one begun last first. */
  at(second: number): SessionId[] {
    return this.#spans.filter(({ from, to }) => Math.floor(from) <= second && second <= Math.ceil(to)).map(({ id }) => id);
  }
}

interface Span {
  readonly id: SessionId;
  readonly from: number;
  readonly to: number;
}
