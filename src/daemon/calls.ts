import {
  type Aim,
  type CheckpointRequest,
  createCheckpoint,
  presentState,
  previewRollback,
  type RollbackOptions,
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
  readonly preview: { readonly aim: Aim };
  readonly rollback: { readonly aim: Aim; readonly options: Pick<RollbackOptions, 'expectedTree' | 'shown'> };
}

export type Progress = { readonly files: number } | { readonly done: number; readonly total: number };

type Do<K extends keyof Calls> = (workspace: Workspace, args: Calls[K], onProgress: (progress: Progress) => void) => Promise<unknown>;

const CALLS: { readonly [K in keyof Calls]: Do<K> } = {
  checkpoint: (workspace, { request }, onProgress) =>
    createCheckpoint(workspace, { ...request, onProgress: (files) => onProgress({ files }) }),
  state: (workspace, _, onProgress) => presentState(workspace, (files) => onProgress({ files })),
  preview: (workspace, { aim }, onProgress) => previewRollback(workspace, aim, (files) => onProgress({ files })),
  rollback: (workspace, { aim, options }, onProgress) =>
    rollBack(workspace, aim, {
      ...options,
      onScan: (files) => onProgress({ files }),
      onApply: (done, total) => onProgress({ done, total }),
    }),
};

/** Arguments come from our own client, which shares these types; whoever else has the token may do as the user can anyway. */
export const carryOutCall = (
  workspace: Workspace,
  { name, args }: DaemonCall,
  onProgress: (progress: unknown) => void,
): Promise<unknown> => {
  if (!Object.hasOwn(CALLS, name)) throw new RetakeError('usage', `There is no call ${JSON.stringify(name)}`);
  return CALLS[name as keyof Calls](workspace, args as never, onProgress);
};
