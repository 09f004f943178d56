import { presentState, settingsOfEnvironment, type Workspace } from '../engine/index.ts';
import { isUtf8, toText, type WorkspaceState } from '../model/index.ts';
import type { Calls, Progress } from './calls.ts';
import { askDaemon, DaemonUnreachable } from './client.ts';
import { startDaemon } from './start.ts';

export interface DaemonWork<K extends keyof Calls, T> {
  readonly name: K;
  readonly args: Calls[K];
  readonly onProgress: (progress: Progress) => void;
  /** Aborted to have it end at the next safe point, wherever it is done. */
  readonly signal?: AbortSignal | undefined;
  /** The same, done by this process. */
  readonly here: () => Promise<T>;
}

/**
 * Has the daemon do it, which knows the workspace already. Where there is none it is done here, with the same outcome, and one
 * is started for the next time.
 */
export const throughDaemon = async <K extends keyof Calls, T>(workspace: Workspace, work: DaemonWork<K, T>): Promise<T> => {
  const { name, args, onProgress, signal, here } = work;
  if (!maySend(workspace)) return here();
  const call = { name, directory: toText(workspace.root), args };
  try {
    return (await askDaemon({ verb: 'call', call }, { onProgress: (progress) => onProgress(progress as Progress), signal })) as T;
  } catch (error) {
    if (!(error instanceof DaemonUnreachable)) throw error;
    // Whatever it left half done is healed before anything else is done here.
    const result = await here();
    if (error.reason === 'absent') startDaemon();
    return result;
  }
};

/** The workspace as it is now, to be compared with: in the store but not in the log. */
export const presentThrough = (workspace: Workspace, onProgress: (files: number) => void = () => {}): Promise<WorkspaceState> =>
  throughDaemon(workspace, {
    name: 'state',
    args: {},
    onProgress: (progress) => 'files' in progress && onProgress(progress.files),
    here: () => presentState(workspace, onProgress),
  });

/**
 * Settings for this process alone are not the daemon's, and its messages are text. What is recorded for the first time nobody
 * knows better than we do.
 */
const maySend = ({ settings, root, isProtected }: Workspace): boolean =>
  isProtected &&
  settings['daemon.enabled'] &&
  isUtf8(root) &&
  !settingsOfEnvironment().some((key) => key.startsWith('capture.') || key === 'durability');
