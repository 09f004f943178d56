import {
  type CheckpointRequest,
  createCheckpoint,
  presentState,
  previewRollback,
  type RollbackOptions,
  type RollbackRequest,
  rollBack,
  type Workspace,
} from '../engine/index.ts';
import { RetakeError } from '../model/index.ts';
import type { DaemonCall } from './protocol.ts';

/** What a face can have done by the daemon, which knows the workspace already. Arguments and results are plain JSON. */
export interface Calls {
  readonly checkpoint: { readonly request: CheckpointRequest };
  /** The workspace as it is now, in the store but not in the log. */
  readonly state: Record<never, never>;
  readonly preview: { readonly request: RollbackRequest };
  readonly rollback: { readonly request: RollbackRequest; readonly options: Pick<RollbackOptions, 'expectedTree' | 'shown'> };
}

export type Progress = { readonly files: number } | { readonly done: number; readonly total: number };

/** Who asked, as far as the work needs to know. */
export interface Listener {
  tell(progress: Progress): void;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
}

type Do<K extends keyof Calls> = (workspace: Workspace, args: Calls[K], listener: Listener) => Promise<unknown>;

const CALLS: { readonly [K in keyof Calls]: Do<K> } = {
  checkpoint: (workspace, { request }, listener) =>
    createCheckpoint(workspace, { ...request, onProgress: (files) => listener.tell({ files }) }),
  state: (workspace, _, listener) => presentState(workspace, (files) => listener.tell({ files })),
  preview: (workspace, { request }, listener) => previewRollback(workspace, request, listening(listener)),
  rollback: (workspace, { request, options }, listener) => rollBack(workspace, request, { ...options, ...listening(listener) }),
};

/** What a rollback and its preview take to tell how far they are, and to be ended. */
export const listening = (listener: Listener): Required<Pick<RollbackOptions, 'onScan' | 'onApply' | 'signal'>> => ({
  onScan: (files) => listener.tell({ files }),
  onApply: (done, total) => listener.tell({ done, total }),
  signal: listener.signal,
});

/** Arguments come from our own client, which shares these types; whoever else has the token may do as the user can anyway. */
export const answerCall = (workspace: Workspace, { name, args }: DaemonCall, listener: Listener): Promise<unknown> => {
  if (!Object.hasOwn(CALLS, name)) throw new RetakeError('usage', `There is no call ${JSON.stringify(name)}`);
  return CALLS[name as keyof Calls](workspace, args as never, listener);
};
