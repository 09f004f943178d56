import { join } from 'node:path';
import { effects, exists, readIfExists, replaceFile } from '../../host/index.ts';
import type { Workspace } from '../core/workspace.ts';

const notePath = ({ data }: Workspace): string => join(data, 'committing-since.json');

/**
 * Notes from where on steps become commits (history mode `branch`): from the first event that is recorded after the switch. Called with the
 * lock, before an event is recorded. What came earlier stays for the person to keep.
 */
export const noteCommitting = (workspace: Workspace): void => {
  const { settings, store } = workspace;
  const [path, isWanted] = [notePath(workspace), settings['history.mode'] === 'branch'];
  if (exists(path) === isWanted) return;
  if (!isWanted) effects.removeTree(path);
  else replaceFile(path, Buffer.from(JSON.stringify({ after: store.log.newest?.sequence ?? 0 })), { durability: settings.durability });
};

/** Steps with a greater sequence number become commits. Without a note nothing does: what is left out can be kept, a wrong commit is there. */
export const committingSince = (workspace: Workspace): number => {
  try {
    const { after } = JSON.parse(readIfExists(notePath(workspace))?.toString() ?? '{}') as { after?: unknown };
    return typeof after === 'number' ? after : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};
