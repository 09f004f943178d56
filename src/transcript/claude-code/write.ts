import { closeSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWriteFailure, effects, now, removeQuietly, temporaryName } from '../../host/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import type { Continuation, ContinuationPlan, ContinuationRequest } from '../format.ts';
import type { ContinuationSource } from '../formats.ts';
import { openForReading, type Span } from '../line-reader.ts';
import { changeFields } from './fields.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Writes beside the old file, under a name that appears when all is there. */
export const writeContinuation = (source: ContinuationSource, request: ContinuationRequest): Continuation | null => {
  if (!UUID.test(request.session)) throw new RetakeError('usage', `A session's id must be a UUID, not ${JSON.stringify(request.session)}`);
  const plan = source.conversation.plan(request);
  if (plan === null) return null;
  const folder = dirname(source.path);
  const path = join(folder, `${request.session}.jsonl`);
  const temporary = join(folder, temporaryName());
  try {
    writeLines(temporary, source, request.session, plan);
    effects.link(temporary, path);
    effects.unlink(temporary);
  } catch (error) {
    removeQuietly(temporary);
    throw describeWriteFailure(error, path);
  }
  return { session: request.session, path, messages: plan.messages };
};

const writeLines = (path: string, source: ContinuationSource, session: SessionId, plan: ContinuationPlan): void => {
  const from = openForReading(source.path);
  try {
    const to = effects.createFile(path, 0o600);
    try {
      const surroundings = commonFields(readSpan(from, plan.template));
      for (const line of plan.lines) {
        const text =
          line.type === 'copied'
            ? movedTo(session, source.session, readSpan(from, line.span), line.changes)
            : bytesOf(JSON.stringify({ ...line.fields, timestamp: now().toISOString(), ...surroundings, sessionId: session }));
        effects.writeAll(to, Buffer.from(`${text}\n`, 'latin1'), path);
      }
    } finally {
      effects.close(to);
    }
  } finally {
    closeSync(from);
  }
};

/** The line in its new session. Lines are handled as bytes: what is not UTF-8 stays as it is. */
const movedTo = (session: SessionId, old: SessionId, line: string, changes: ReadonlyMap<string, string | null>): string =>
  changeFields(line, (key, value) => {
    if (key === 'sessionId') return JSON.stringify(session);
    // The same in the spelling of some versions, unless it names another session.
    if (key === 'session_id' && value === JSON.stringify(old)) return JSON.stringify(session);
    const change = changes.get(key);
    return change === undefined ? undefined : bytesOf(JSON.stringify(change));
  });

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const readSpan = (fd: number, { start, length }: Span): string => {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, start + done);
    if (count === 0)
      throw new RetakeError('transcript-changed', 'The session file became shorter while it was read', { hint: 'Try again.' });
    done += count;
  }
  return bytes.toString('latin1');
};

const COMMON = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch', 'slug'];

const commonFields = (line: string): Record<string, unknown> => {
  const fields = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as Record<string, unknown>;
  return Object.fromEntries(COMMON.flatMap((key) => (Object.hasOwn(fields, key) ? [[key, fields[key]]] : [])));
};
