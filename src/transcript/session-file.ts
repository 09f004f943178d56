import { closeSync, fstatSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { type SessionId, systemCode } from '../model/index.ts';
import { formatOf } from './formats.ts';
import { headOf } from './head.ts';
import { openForReading } from './line-reader.ts';

/** As much of a file as has to show what it is. */
const HEAD_BYTES = 4 << 20;

/**
 * Why a file is not the session file of a session; null where it is one. A hook names any path it likes, and what it names is read, copied and
 * exported: a key or a password file must not pass for a conversation. What lies where the agent keeps this session is believed; what lies
 * elsewhere has to read like one.
 */
export const whyNoSessionFile = (agent: string, session: SessionId, path: string): string | null => {
  try {
    const isLink = lstatSync(path).isSymbolicLink();
    const fd = openForReading(path);
    try {
      if (isForeign(fstatSync(fd))) return 'it belongs to another user';
      const isOwn = formatOf(agent).isPlaceOf(session, realpathSync(path));
      if (isOwn) return null;
      const reason = unlike(agent, session, headOf(fd, HEAD_BYTES));
      return reason !== null && isLink ? `it is a link to another file: ${reason}` : reason;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof Error) return systemCode(error) === 'ENOENT' ? 'there is no such file' : error.message;
    throw error;
  }
};

/** Root reads for others, as in a container whose files are those of a user outside. */
const isForeign = ({ uid }: Stats): boolean => {
  const own = process.getuid?.() ?? uid;
  return own !== 0 && uid !== own;
};

const unlike = (agent: string, session: SessionId, head: string): string | null => {
  const { isLineOf } = formatOf(agent);
  const lines = head
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.trim() !== '');
  const objects = lines.flatMap(objectIn);
  // A torn line now and then is nothing unusual; a file that is mostly something else is no session file.
  if (objects.length * 2 <= lines.length || objects.length === 0) return 'its lines are not those of a conversation';
  return objects.some((line) => isLineOf(session, line)) ? null : `no line of it belongs to session ${session}`;
};

const objectIn = (line: string): Record<string, unknown>[] => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as Record<string, unknown>] : [];
  } catch {
    return [];
  }
};
