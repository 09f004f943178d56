import type { MessageId } from '../model/index.ts';
import type { Outline } from './outline.ts';

/** The id that a message has in the session it was written in. */
export type OriginalOf = (id: MessageId) => MessageId;

/**
 * A copy of a copy names the copy: followed to the first one, across all sessions. Ids that name each other in a circle are all taken
 * for the least of them.
 */
export const originals = (outlines: readonly Outline[]): OriginalOf => {
  const next = new Map<MessageId, MessageId>();
  for (const { copies } of outlines)
    for (const [here, there] of copies) {
      const known = next.get(here);
      if (known === undefined || there < known) next.set(here, there);
    }
  const found = new Map<MessageId, MessageId>();
  return (id) => {
    if (next.size === 0) return id;
    const path = new Set<MessageId>();
    let at = id;
    for (; !path.has(at) && !found.has(at); at = next.get(at) as MessageId) {
      path.add(at);
      if (!next.has(at)) break;
    }
    const original = found.get(at) ?? (next.has(at) ? least(path, at) : at);
    for (const each of path) found.set(each, original);
    return original;
  };
};

/** The least id of the circle that begins at `from`, the rest of the path. */
const least = (path: ReadonlySet<MessageId>, from: MessageId): MessageId => {
  const ids = [...path];
  return ids.slice(ids.indexOf(from)).sort()[0] as MessageId;
};
