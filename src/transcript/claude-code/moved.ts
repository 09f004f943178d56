import type { SessionId } from '../../model/index.ts';
import { changeFields } from './fields.ts';

/** A line in its new session. Lines are handled as bytes, one character each: what is not UTF-8 stays as it is. */
export const movedTo = (
  session: SessionId,
  old: SessionId,
  line: string,
  changes: ReadonlyMap<string, string | null> = new Map(),
): string =>
  changeFields(line, (key, value) => {
    if (key === 'sessionId') return JSON.stringify(session);
    // The same in the spelling of some versions, unless it names another session.
    if (key === 'session_id' && value === bytesOf(JSON.stringify(old))) return JSON.stringify(session);
    const change = changes.get(key);
    return change === undefined ? undefined : bytesOf(JSON.stringify(change));
  });

export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
