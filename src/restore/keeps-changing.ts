import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuseIfAborted } from '../host/index.ts';
import type { RelativePath } from '../model/index.ts';
import type { WorkspaceFs } from './workspace-fs.ts';

/** How long a file has to stay as it is before it counts as at rest. A busy machine lets its writers wait, and gets up to three times that. */
const AT_REST = 1000;
const BETWEEN_LOOKS = 25;

const longestWait = (): number => AT_REST * Math.min(3, Math.max(1, (loadavg()[0] as number) / availableParallelism()));

/** Those of the files that somebody changes while we look: a log, the output of a server. One edit that ended before does not count. */
export const keepsChanging = async (
  fs: WorkspaceFs,
  paths: readonly RelativePath[],
  signal?: AbortSignal | undefined,
): Promise<ReadonlySet<RelativePath>> => {
  const changing = new Set<RelativePath>();
  const first = new Map(paths.map((path) => [path, lookOf(fs, path)]));
  for (const end = performance.now() + longestWait(); changing.size < first.size && performance.now() < end; ) {
    await sleep(BETWEEN_LOOKS);
    refuseIfAborted(signal);
    for (const [path, look] of first) if (lookOf(fs, path) !== look) changing.add(path);
  }
  return changing;
};

const lookOf = (fs: WorkspaceFs, path: RelativePath): string => {
  const stat = fs.look(path);
  return stat === undefined ? 'none' : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
};
