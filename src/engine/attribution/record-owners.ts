import { diffFiles, diffStates, type FileDiff, leafChanges } from '../../diff/index.ts';
import { isCheckpoint, isRollback, type Line, lineOf, type OperationId, type Recorded, type RelativePath } from '../../model/index.ts';
import { type Actor, type AttributedChange, attributeChanges, extentOf, ownersAt } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { changesOf, unlessDamaged } from '../read/record-changes.ts';
import { readAll } from '../recover/session-work.ts';

/** Who changed what a record holds. `retake`: a rollback or its kin. `unknown`: records before it are gone. */
export type ChangedByWhom = 'agent' | 'person' | 'both' | 'retake' | 'unknown';

export interface RecordOwners {
  /** Null where nothing changed, or damage keeps us from knowing. */
  readonly by: ChangedByWhom | null;
  /** The steps that may have done it, where that is not simply the record itself; none where it is the person's. */
  readonly owners?: readonly Actor[];
}

const NOBODY: RecordOwners = { by: null };

/** Tells of records whose doing it is what changed up to them. `earliest` is the first of them. */
export const readOwners = (workspace: Workspace, earliest: number): ((operation: Recorded) => RecordOwners) => {
  const lines = new Map<Line, ReadonlyMap<OperationId, AttributedChange>>();
  const attributedIn = (line: Line) => {
    const attributedChanges = lines.get(line) ?? attributedFrom(workspace, earliest, line);
    lines.set(line, attributedChanges);
    return attributedChanges;
  };
  return (operation) => {
    if (isRollback(operation)) return { by: 'retake' };
    const attributed = attributedIn(lineOf(operation)).get(operation.id);
    if (attributed === undefined || !isCheckpoint(operation)) return NOBODY;
    const { by, ids } = unlessDamaged<Owners>(() => ownersOf(workspace, attributed), { by: null, ids: [] });
    const owners = attributed.actors.filter(({ id }) => ids.includes(id));
    const isItself = owners.length === 1 && owners[0]?.id === operation.id;
    return isItself || by === null ? { by } : { by, owners };
  };
};

/** A step that goes on may end much later: who did something is known from all that was recorded since. */
const attributedFrom = (workspace: Workspace, earliest: number, line: Line): ReadonlyMap<OperationId, AttributedChange> => {
  const before = line === null ? workspace.index.newestContent({ upTo: earliest - 1 }) : undefined;
  return new Map(
    attributeChanges(readAll(workspace, { from: before?.sequence ?? 0, line })).map((attributed) => [attributed.at.id, attributed]),
  );
};

interface Owners {
  readonly by: ChangedByWhom | null;
  readonly ids: readonly OperationId[];
}

/** Trees are read only where it depends on the paths, and only once. */
const ownersOf = (workspace: Workspace, attributed: AttributedChange): Owners => {
  const ids = attributed.actors.map(({ id }) => id);
  if (attributed.isGap) return { by: 'unknown', ids };
  if (ids.length === 0) return { by: 'person', ids };
  if (extentOf(attributed.actors)?.only === undefined) return { by: 'agent', ids };
  const { index } = workspace;
  const [subject, stamp] = [`owners ${attributed.at.id}`, [attributed.before.id, ...ids].join(' ')];
  const known = index.recall<Owners>(subject, stamp);
  if (known !== undefined) return known;
  const owners = ownersByPath(workspace, attributed);
  index.rememberFor(subject, stamp, owners);
  return owners;
};

const ownersByPath = ({ store: { objects } }: Workspace, attributed: AttributedChange): Owners => {
  const paths = leafChanges(diffStates(objects, attributed.before.state, attributed.at.state)).map(({ path }) => path);
  const owners = paths.map((path) => ownersAt(attributed, path));
  const ids = attributed.actors.map(({ id }) => id).filter((id) => owners.some((some) => some.some((actor) => actor.id === id)));
  const isPersons = owners.some((some) => some.length === 0);
  return { by: ids.length === 0 ? (isPersons ? 'person' : null) : isPersons ? 'both' : 'agent', ids };
};

/** A file that a record changed, and whose doing that is. */
export interface OwnedFile extends FileDiff, RecordOwners {}

export const readOwnedFiles = (workspace: Workspace, operation: Recorded): OwnedFile[] =>
  unlessDamaged(() => {
    const ownersIn = pathOwners(workspace, operation);
    const files = diffFiles(workspace.store.objects, changesOf(workspace, operation) ?? []);
    return files.map((file) => ({ ...file, ...ownersIn(file.path) }));
  }, []);

const pathOwners = (workspace: Workspace, operation: Recorded): ((path: RelativePath) => RecordOwners) => {
  if (isRollback(operation)) return () => ({ by: 'retake' });
  const attributed = attributedFrom(workspace, operation.sequence, lineOf(operation)).get(operation.id);
  if (attributed === undefined) return () => NOBODY;
  if (attributed.isGap) return () => ({ by: 'unknown' });
  return (path) => {
    const owners = ownersAt(attributed, path);
    return { by: owners.length === 0 ? 'person' : 'agent', owners };
  };
};
