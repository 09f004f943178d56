import { resolve, sep } from 'node:path';
import { type TranscriptFile, whyNoSessionFile } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** Why a file that an agent named for its session is not read as that; null where it is. What we unpacked from an import is ours. */
export const whyNotToldFile = (
  { data }: Workspace,
  { agent, session, path }: Pick<TranscriptFile, 'agent' | 'session' | 'path'>,
): string | null => (resolve(path).startsWith(`${data}${sep}imported${sep}`) ? null : whyNoSessionFile(agent, session, path));
