import { join } from 'node:path';
import { effects, isAbandoned, isAlive } from '../../host/index.ts';
import { namesIn } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { clearQuarantine } from '../exchange/quarantine.ts';

/** What a git leaves that is killed while it writes objects. */
export const GIT_STRAYS = /^(tmp_(pack|idx|rev|obj)_|\.tmp-\d+-pack-)/;

/**
 * Removes what killed processes left behind, and tells how many files and directories that were. Needs the lock, under which
 * nobody else writes to the store; beside it, what a living process made stays.
 */
export const removeStrays = (workspace: Workspace): number => {
  const { data, storePath } = workspace;
  clearQuarantine(workspace);
  const objects = join(storePath, 'objects');
  const packs = join(objects, 'pack');
  const found = new Set([
    ...[data, storePath, objects, packs].flatMap((directory) => inside(directory, isAbandoned)),
    ...inside(data, isDeadJournals),
    ...[objects, packs].flatMap((directory) => inside(directory, (name) => GIT_STRAYS.test(name) && !name.startsWith('tmp_obj_retake'))),
    ...[storePath, objects].flatMap((directory) => inside(directory, (name) => name.endsWith('.lock'))),
  ]);
  for (const path of found) effects.removeTree(path);
  return found.size;
};

const inside = (directory: string, isStray: (name: string) => boolean): string[] =>
  namesIn(directory)
    .filter(isStray)
    .map((name) => join(directory, name));

/** The directory in which a daemon listens for its own footsteps. */
const isDeadJournals = (name: string): boolean => {
  const [, pid] = /^cookies-(\d+)$/.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
};

/**
 * Removes packs whose writer or remover was killed before the index was there, or after. To be called only when nothing is missing: where an
 * index was lost, a repair makes it again.
 */
export const removePacksWithoutIndex = ({ storePath }: Workspace): number => {
  const directory = join(storePath, 'objects', 'pack');
  const names = new Set(namesIn(directory));
  const found = inside(directory, (name) => name.endsWith('.pack') && !names.has(name.replace(/pack$/, 'idx')));
  for (const path of found) effects.unlink(path);
  return found.length;
};
