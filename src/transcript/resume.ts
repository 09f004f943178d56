import type { SessionId } from '../model/index.ts';
import { formatOf } from './formats.ts';

/** The command that goes on with a session, for a shell; a null session begins a new one. */
export const resumeCommand = (agent: string, session: SessionId | null, directory: string): string =>
  `cd ${quoted(directory)} && ${formatOf(agent).resume(session).map(wordOf).join(' ')}`;

const wordOf = (word: string): string => (/^[\w./-]+$/.test(word) ? word : quoted(word));

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
