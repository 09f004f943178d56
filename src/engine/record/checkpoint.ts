import { diffStates, leafChanges } from '../../diff/index.ts';
import { now } from '../../host/index.ts';
import {
  type Checkpoint,
  type CheckpointKind,
  LOCAL_SESSION,
  type Omission,
  type OutsideFile,
  type Recorded,
  type RecordedEvent,
  RetakeError,
  type SessionId,
  shortId,
} from '../../model/index.ts';
import { capturePresent, isRecordedAs, type Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { noteToPin } from '../git/pinned-objects.ts';
import { unlessDamaged } from '../read/record-changes.ts';
import { backUpReflogs } from '../reflog/reflog-backup.ts';
import { measured } from '../timing/measured.ts';
import { checkedSession, checkName, checkNote } from './given-texts.ts';

const MANUAL_LIMIT = 50;

export interface CheckpointRequest {
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  readonly session?: SessionId | undefined;
  /** It is where the session begins: recorded even if nothing changed, and refused where the session has a record already. */
  readonly isBase?: boolean | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** A request of what somebody gave. */
export const checkpointRequest = ({
  name,
  note,
  session,
}: Partial<Record<'name' | 'note' | 'session', string | undefined>>): CheckpointRequest => {
  if (name !== undefined) checkName(name);
  if (note !== undefined) checkNote(note);
  return { name, note, session: session === undefined ? undefined : checkedSession(session) };
};

export interface CheckpointResult {
  readonly checkpoint: Recorded<Checkpoint>;
  readonly omissions: readonly Omission[];
  /** Files that differ from the record before, as the log counts them; none for the first one, which has nothing to differ from. Null where that record is damaged. */
  readonly changed: number | null;
  /** All files that it holds. */
  readonly files: number;
  /** False when nothing had changed and the checkpoint before was returned (CKP-5). */
  readonly isNew: boolean;
}

/** Records the workspace as it is, at the user's request. */
export const createCheckpoint = (workspace: Workspace, request: CheckpointRequest): Promise<CheckpointResult> => {
  const session = request.session ?? LOCAL_SESSION;
  return measured(workspace, 'checkpoint', () =>
    workspace.write(async () => {
      if (request.isBase) refuseSecondBase(workspace, session);
      const present = await capturePresent(workspace, { onProgress: request.onProgress });
      const newest = workspace.index.newestCheckpoints(1)[0]?.operation as Recorded<Checkpoint> | undefined;
      const { omissions } = present.manifest;
      const isPlain = request.name === undefined && request.note === undefined && !request.isBase;
      if (isPlain && newest !== undefined && isRecordedAs(newest, present) && omissions.length === 0 && newest.status === 'complete') {
        present.batch.abandon();
        workspace.memory.confirm(present, newest.id);
        return { checkpoint: newest, omissions, changed: 0, files: present.snapshot.countFiles(), isNew: false };
      }
      if (workspace.index.countManual(session) >= MANUAL_LIMIT) {
        present.batch.abandon();
        throw tooManyManual(session);
      }
      const description = request.name ?? request.note?.split('\n')[0] ?? (request.isBase ? 'Where the session begins' : 'Checkpoint');
      const before = workspace.index.newestContent();
      const checkpoint = recordCheckpoint(workspace, present, { kind: 'manual', session, description, ...given(request) });
      return {
        checkpoint,
        omissions,
        changed: countChanged(workspace, before, present),
        files: present.snapshot.countFiles(),
        isNew: true,
      };
    }),
  );
};

export interface CheckpointDetails {
  readonly kind: CheckpointKind;
  readonly session: SessionId;
  readonly description: string;
  readonly name?: string;
  readonly note?: string;
  readonly event?: RecordedEvent;
  readonly outside?: readonly OutsideFile[];
}

/** Puts a captured present into the log as a checkpoint. Needs the lock. With `later`, what nobody waits for is put off. */
export const recordCheckpoint = (
  workspace: Workspace,
  present: Present,
  details: CheckpointDetails,
  { newest = workspace.index.newestContent(), deferred = false }: { newest?: Recorded | undefined; deferred?: boolean } = {},
): Recorded<Checkpoint> => {
  const previous = newest?.id ?? null;
  const { batch, head, git, toPin, manifest } = present;
  if (toPin !== null) noteToPin(workspace, toPin);
  const reflog = details.kind === 'session-start' ? backUpReflogs(present.userGit.repository, batch) : undefined;
  // Before the record is made, because it tells how much was written.
  if (!deferred) batch.flush();
  const checkpoint = workspace.record((store) =>
    store.log.append<Checkpoint>(
      batch,
      {
        ...details,
        createdAt: now().toISOString(),
        status: manifest.omissions.length === 0 ? 'complete' : 'partial',
        previous,
        head,
        ...(git === null ? {} : { git }),
        bytesAdded: batch.bytesAdded + batch.bytesPending,
      },
      { ...present, reflog, ...(details.outside === undefined ? {} : { outside: details.outside }) },
      { deferred },
    ),
  );
  // A safety checkpoint is followed by the rollback's own record of the workspace.
  if (details.kind !== 'safety') workspace.memory.remember(present, checkpoint.id);
  workspace.timings.lap('recording');
  return checkpoint;
};

/** The checkpoint is made by now, whatever became of the record before it. */
const countChanged = ({ store }: Workspace, before: Recorded | undefined, present: Present): number | null =>
  before === undefined
    ? 0
    : unlessDamaged<number | null>(() => leafChanges(diffStates(store.objects, before.state, present.state)).length, null);

const given = ({ name, note }: CheckpointRequest): { name?: string; note?: string } => ({
  ...(name === undefined ? {} : { name }),
  ...(note === undefined ? {} : { note }),
});

const refuseSecondBase = ({ index }: Workspace, session: SessionId): void => {
  const base = index.firstCheckpointOf(session);
  if (base === undefined) return;
  throw new RetakeError('base-exists', `Session ${session} begins with ${shortId(base.id)} already`, {
    hint: 'A checkpoint can be added to it: retake checkpoint --session ID',
    details: { checkpoint: base.id },
  });
};

const tooManyManual = (session: SessionId): RetakeError =>
  new RetakeError('too-many-manual', `Session ${session} has ${MANUAL_LIMIT} manual checkpoints already`, {
    hint: 'Delete one that is no longer needed: retake delete ID',
  });
