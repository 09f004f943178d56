import { relative } from 'node:path';
import { type Operation, type OperationId, type Recorded, type RelativePath, type SessionId, toText } from '../../model/index.ts';
import type { Store } from '../../store/index.ts';
import type { ConversationSource } from '../conversation/conversation.ts';
import type { Workspace } from '../core/workspace.ts';
import { yieldEvery } from '../core/yield-every.ts';
import { Exclusion } from './exclusion.ts';
import { exportOperation } from './exported-operation.ts';
import { MEMBER } from './member-names.ts';
import { NewIds } from './new-ids.ts';
import { withPlaces } from './places.ts';

export interface WrittenAnew {
  readonly operations: readonly { readonly id: OperationId; readonly operation: Operation }[];
  readonly left: readonly RelativePath[];
  readonly leftOutside: readonly string[];
}

interface WriteRequest {
  readonly session: SessionId;
  /** Its conversation, if that goes along. */
  readonly source: ConversationSource | undefined;
  readonly onProgress?: ((operations: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Puts operations, and what of them differs from what is recorded, into a store of their own, as they go into the file. */
export const writeAnew = async (
  workspace: Workspace,
  into: Store,
  content: readonly Recorded[],
  { session, source, onProgress, signal }: WriteRequest,
): Promise<WrittenAnew> => {
  const { objects, log } = workspace.store;
  const batch = into.objects.begin();
  const exclusion = new Exclusion(workspace.settings['export.exclude'], objects, batch);
  const ids = new NewIds();
  const left = new Set<RelativePath>();
  const leftOutside = new Set<string>();
  const places = {
    directory: (directory: string): string => insideOf(toText(workspace.root), directory),
    transcript: (operation: Operation) => (source !== undefined && operation.session === session ? MEMBER.session : undefined),
  };
  const operations: WrittenAnew['operations'][number][] = [];
  const breathe = yieldEvery(signal);
  for (const recorded of content) {
    const exported = exportOperation(recorded, log.treeOf(recorded.id), { objects, batch, exclusion });
    for (const path of exported.left) left.add(path);
    for (const path of exported.leftOutside) leftOutside.add(path);
    const operation = withPlaces(
      ids.in(exported.operation, (id) => id),
      places,
    );
    const id = log.write(batch, operation, exported.tree);
    ids.add(recorded.id, id);
    operations.push({ id, operation });
    onProgress?.(operations.length, content.length);
    await breathe();
  }
  batch.flush();
  return { operations, left: [...left].sort(), leftOutside: [...leftOutside].sort() };
};

/** A directory as it is named below the workspace; the workspace itself for one that is elsewhere. */
const insideOf = (root: string, directory: string): string => {
  const path = relative(root, directory);
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? '' : path;
};
