import type { CheckpointEntry, CheckpointResult, OwnedFile } from '../engine/index.ts';
import { type Omission, pathFields, type Recorded, stateName } from '../model/index.ts';
import { ownedFileJson } from './diff.ts';
import { operationJson } from './operation.ts';

/** A checkpoint with the prompt that it was made for. */
export const checkpointJson = ({ prompt, ...entry }: CheckpointEntry) => ({
  ...operationJson(entry),
  messageUuid: prompt?.id ?? null,
  messageTimestamp: prompt?.at ?? null,
  messagePreview: prompt?.title ?? null,
});

const omissionJson = ({ path, reason }: Omission) => ({ ...pathFields(path), reason });

const treeOf = ({ state }: Recorded): string | null => (state === null ? null : stateName(state));

/** A checkpoint that was made just now. */
export const createdJson = ({ checkpoint, omissions, changed, files }: CheckpointResult) => ({
  id: checkpoint.id,
  tree: treeOf(checkpoint),
  status: checkpoint.status,
  omissions: omissions.map(omissionJson),
  changed,
  files,
});

/** What a record holds, and what it changed. */
export const contentJson = (operation: Recorded, changes: readonly OwnedFile[], omissions: readonly Omission[]) => ({
  changes: changes.map(ownedFileJson),
  tree: treeOf(operation),
  omissions: omissions.map(omissionJson),
});
