import { type MaintenanceReport, maintain, maintainAll, Workspace } from '../engine/index.ts';
import { yieldToOthers } from '../host/index.ts';
import { toText } from '../model/index.ts';
import { describe, type Log } from './log.ts';

/** Looks after the store of one workspace, then after the others that are due, and gives way to everybody. */
export const maintainOnce = async (directory: string, log: Log): Promise<void> => {
  const ending = new AbortController();
  const { signal } = ending;
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ending.abort());
  yieldToOthers();
  const failed = (root: string, error: unknown): void => log(`looking after the store of ${root} failed: ${describe(error)}`);
  const workspace = await Workspace.open({ directory });
  try {
    log(`the store of ${directory}: ${tell(await maintain(workspace, { signal, asNeeded: true }))}`);
  } catch (error) {
    failed(directory, error);
  } finally {
    workspace.close();
  }
  await maintainAll({
    signal,
    onDone: ({ root }, done) => log(`the store of ${toText(root)}: ${tell(done)}`),
    onFailed: ({ root }, error) => failed(toText(root), error),
  });
};

const tell = ({ check, pruned, gc: { extent, before, after, damaged } }: MaintenanceReport): string =>
  [
    ...(check.damage.length === 0 ? [] : [`${check.damage.length} damages found`]),
    ...(pruned.length === 0 ? [] : [`${pruned.length} records pruned`]),
    extent === 'nothing' ? 'nothing to pack' : `${before.files} files of ${before.bytes} bytes became ${after.files} of ${after.bytes}`,
    ...(damaged === 0 ? [] : [`${damaged} objects can not be read`]),
  ].join('; ');
