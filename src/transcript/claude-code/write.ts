import { closeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWriteFailure, effects, exists, now, removeQuietly, temporaryName } from '../../host/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import type { Continuation, ContinuationRequest, ContinuationSource } from '../format.ts';
import { readSpan } from '../line-reader.ts';
import { carryAlong } from './carry.ts';
import { bytesOf, movedTo } from './moved.ts';
import { backupsOf, companionsOf } from './places.ts';
import type { ContinuationPlan } from './plan.ts';

/** The client resumes nothing else; and such a name stays in its folder. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Writes beside the old file, or into a folder, under a name that appears when all is there. */
export const writePlanned = (
  source: ContinuationSource,
  { session, folder = dirname(source.path) }: Pick<ContinuationRequest, 'session' | 'folder'>,
  plan: ContinuationPlan,
): Continuation => {
  if (!UUID.test(session)) throw new RetakeError('usage', `A session's id must be a UUID, not ${JSON.stringify(session)}`);
  const path = join(folder, `${session}.jsonl`);
  const temporary = join(dirname(path), temporaryName());
  const companions = [companionsOf(path), backupsOf(path)];
  for (const taken of [path, ...companions].filter(exists))
    throw new RetakeError('usage', `There is a session ${session} already`, { details: { path: taken } });
  try {
    if (!exists(folder)) effects.makeDirectories(folder);
    writeLines(temporary, source, session, plan);
    carryAlong(source, path, session, plan);
    // Fails when the name is taken, unlike a rename.
    effects.link(temporary, path);
    effects.unlink(temporary);
  } catch (error) {
    removeQuietly(temporary);
    for (const companion of companions) effects.removeTree(companion);
    throw describeWriteFailure(error, path);
  }
  return { session, path, messages: plan.messages };
};

const writeLines = (path: string, source: ContinuationSource, session: SessionId, plan: ContinuationPlan): void => {
  const from = source.openSame();
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

const COMMON = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch', 'slug'];

const commonFields = (line: string): Record<string, unknown> => {
  const fields = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as Record<string, unknown>;
  return Object.fromEntries(COMMON.flatMap((key) => (Object.hasOwn(fields, key) ? [[key, fields[key]]] : [])));
};
