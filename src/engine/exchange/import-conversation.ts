import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { effects, exists, syncPath } from '../../host/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { findLogLoss } from '../upkeep/log-loss.ts';
import { MEMBER } from './member-names.ts';
import type { Quarantine } from './quarantine.ts';
import type { TarReader } from './tar-reader.ts';

const folderOf = ({ data }: Workspace): string => join(data, 'imported');

/** Puts what was said where it stays, before anything names it. */
export const unpackConversation = (workspace: Workspace, { directory }: Quarantine, tar: TarReader, source: string): string | undefined => {
  removeUnknown(workspace);
  if (!tar.has(MEMBER.session)) return undefined;
  for (const name of tar.names.filter((one) => one.startsWith('conversation/'))) {
    const path = join(directory, name);
    if (!exists(dirname(path))) effects.makeDirectories(dirname(path));
    const fd = effects.createFile(path, 0o600);
    try {
      for (const chunk of tar.chunks(name)) effects.writeAll(fd, chunk, path);
      if (workspace.settings.durability === 'power') effects.sync(fd, path);
    } finally {
      effects.close(fd);
    }
  }
  effects.makeDirectories(folderOf(workspace));
  const place = join(folderOf(workspace), source);
  effects.rename(join(directory, dirname(MEMBER.session)), place);
  if (workspace.settings.durability === 'power') syncPath(folderOf(workspace));
  return join(place, 'session.jsonl');
};

/** Of imports that were killed before anything was recorded; an import may be missing from the log for other reasons. */
const removeUnknown = (workspace: Workspace): void => {
  if (findLogLoss(workspace) !== null) return;
  const folder = folderOf(workspace);
  const known = new Set(workspace.index.importedLines());
  for (const name of exists(folder) ? readdirSync(folder) : []) if (!known.has(name)) effects.removeTree(join(folder, name));
};
