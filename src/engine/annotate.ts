import { now } from '../host/index.ts';
import { type Deletion, type NoteChange, type PinChange, type Recorded, RetakeError, shortId } from '../model/index.ts';
import { forgottenBy } from '../store/index.ts';
import { resolveCheckpoint } from './resolve.ts';
import type { Workspace } from './workspace.ts';

/** Adds or changes the note of a checkpoint; an empty one removes it. */
export const setNote = (workspace: Workspace, address: string, note: string): Promise<Recorded<NoteChange>> =>
  annotate<NoteChange>(workspace, address, (id) => ({ kind: 'note', note, description: `Note on ${id}` }));

export const setPinned = (workspace: Workspace, address: string, pinned: boolean): Promise<Recorded<PinChange>> =>
  annotate<PinChange>(workspace, address, (id) => ({ kind: 'pin', pinned, description: `${pinned ? 'Pin' : 'Unpin'} ${id}` }));

/** Takes a checkpoint out of the log; that it was there stays recorded. */
export const deleteCheckpoint = async (workspace: Workspace, address: string): Promise<Recorded<Deletion>> => {
  const { operation } = resolveCheckpoint(workspace, address);
  const [rollback] = workspace.index.neededBy(operation.id);
  if (rollback !== undefined) {
    throw new RetakeError('needed', `${shortId(operation.id)} is what undoing ${shortId(rollback.id)} brings back`, {
      hint: 'Checkpoints made before a rollback are kept as long as the rollback can be undone.',
    });
  }
  const deletion = await annotate<Deletion>(workspace, address, (id) => ({
    kind: 'delete',
    description: `Delete ${id}`,
    was: operation.sequence,
  }));
  return deletion;
};

type Annotation = NoteChange | PinChange | Deletion;

const annotate = <A extends Annotation>(
  workspace: Workspace,
  address: string,
  make: (id: string) => Omit<A, 'sequence' | 'session' | 'createdAt' | 'target'>,
): Promise<Recorded<A>> => {
  // Before the lock is taken, and so before anything could be made: an unknown id leaves no trace.
  resolveCheckpoint(workspace, address);
  return workspace.write(() => {
    const { operation } = resolveCheckpoint(workspace, address);
    const recorded = workspace.record((store) =>
      store.log.append<Annotation>(
        store.objects.begin(),
        { ...make(shortId(operation.id)), session: operation.session, createdAt: now().toISOString(), target: operation.id } as never,
        null,
      ),
    );
    workspace.store.log.forget(forgottenBy(recorded));
    return recorded as Recorded<A>;
  });
};
