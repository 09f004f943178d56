import { now } from '../../host/index.ts';
import type { Entry } from '../../index/index.ts';
import {
  type Checkpoint,
  type Deletion,
  type NameChange,
  type NoteChange,
  type OperationId,
  type PinChange,
  type Recorded,
  RetakeError,
  shortId,
} from '../../model/index.ts';
import { forgottenBy } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { resolveCheckpoint } from '../read/resolve.ts';
import { checkName, checkNote } from './given-texts.ts';

/** What people can say of a checkpoint; an empty name or note removes it. */
export interface Annotations {
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  readonly pinned?: boolean | undefined;
}

/** Adds or changes what is said of a checkpoint: all of it, or nothing where a part is refused. What is so already is not recorded again. */
export const annotateCheckpoint = (workspace: Workspace, address: string, annotations: Annotations): Promise<OperationId> => {
  const { name, note } = annotations;
  if (name !== undefined && name !== '') checkName(name);
  if (note !== undefined) checkNote(note);
  return annotate(workspace, address, (entry) => changesOf(entry, annotations));
};

export const setNote = (workspace: Workspace, address: string, note: string): Promise<OperationId> =>
  annotateCheckpoint(workspace, address, { note });

export const setPinned = (workspace: Workspace, address: string, pinned: boolean): Promise<OperationId> =>
  annotateCheckpoint(workspace, address, { pinned });

/** Takes a checkpoint out of the log; that it was there stays recorded. */
export const deleteCheckpoint = async (workspace: Workspace, address: string): Promise<OperationId> => {
  const { operation } = resolveCheckpoint(workspace, address);
  const [rollback] = workspace.index.neededBy(operation.id);
  if (rollback !== undefined) {
    throw new RetakeError('needed', `${shortId(operation.id)} is what undoing ${shortId(rollback.id)} brings back`, {
      hint: 'Checkpoints made before a rollback are kept as long as the rollback can be undone.',
    });
  }
  return annotate(workspace, address, () => [{ kind: 'delete', was: operation.sequence }]);
};

type Annotation = NameChange | NoteChange | PinChange | Deletion;

type What<A> = A extends Annotation ? Omit<A, 'sequence' | 'session' | 'createdAt' | 'description' | 'target'> : never;

const changesOf = (entry: Entry, { name, note, pinned }: Annotations): What<Annotation>[] => [
  ...(name === undefined || name === (entry.name ?? '') ? [] : [{ kind: 'name' as const, name }]),
  ...(note === undefined || note === (entry.note ?? '') ? [] : [{ kind: 'note' as const, note }]),
  ...(pinned === undefined || pinned === entry.pinned ? [] : [{ kind: 'pin' as const, pinned }]),
];

const describe = (what: What<Annotation>, id: string): string => {
  switch (what.kind) {
    case 'name':
      return `Name of ${id}`;
    case 'note':
      return `Note on ${id}`;
    case 'pin':
      return `${what.pinned ? 'Pin' : 'Unpin'} ${id}`;
    case 'delete':
      return `Delete ${id}`;
  }
};

const annotate = (
  workspace: Workspace,
  address: string,
  make: (entry: Entry & { readonly operation: Recorded<Checkpoint> }) => readonly What<Annotation>[],
): Promise<OperationId> => {
  // Before the lock is taken, and so before anything could be made: an unknown id leaves no trace.
  resolveCheckpoint(workspace, address);
  return workspace.write(() => {
    const entry = resolveCheckpoint(workspace, address);
    const { id: target, session } = entry.operation;
    for (const what of make(entry)) {
      const annotation = { ...what, description: describe(what, shortId(target)), session, createdAt: now().toISOString(), target };
      const recorded = workspace.record((store) => store.log.append<Annotation>(store.objects.begin(), annotation, null));
      workspace.store.log.forget(forgottenBy(recorded));
    }
    return target;
  });
};
