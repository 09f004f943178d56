import {
  type Checkpoint,
  type Extent,
  isCheckpoint,
  isRollback,
  isWithin,
  type OperationId,
  type Recorded,
  type RelativePath,
  type SessionId,
  sameState,
  type WorkspaceState,
} from '../model/index.ts';

type Stated = Recorded & { readonly state: WorkspaceState };

/** A step of an agent, or steps of which no more is known than the turn. */
export interface Actor {
  /** The record of its end. */
  readonly id: OperationId;
  readonly session: SessionId;
  readonly agent: string;
  /** The subagent, if it was one. */
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly turn: number;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly description: string;
  /** All that it could change; null when that may be anything. */
  readonly touches: readonly RelativePath[] | null;
}

/** What changed from one record to the next, and who may have done it. */
export interface AttributedChange {
  readonly before: Stated;
  readonly at: Stated;
  /** It went by a plan of ours: a rollback or one of its kin. */
  readonly isPlanned: boolean;
  /** Records in between are pruned, deleted or damaged: who did it is not known, and nobody is said to have. */
  readonly isGap: boolean;
  /** Steps that overlapped are actors together. What none of them could touch is somebody else's: the person's, or a program's. */
  readonly actors: readonly Actor[];
}

/** A step that still runs, and the newest record when it began. */
export type OpenSpan = Omit<Span, 'ended'>;

/**
 * Everything that changed, oldest first. `operations` are all of one line, oldest first: what was imported is nobody's past but its own. What was
 * recorded while a step runs may be its doing, although it has no record yet.
 */
export const attributeChanges = (operations: readonly Recorded[], running: readonly OpenSpan[] = []): AttributedChange[] => {
  const open = running.map((span): Span => ({ ...span, ended: Number.POSITIVE_INFINITY }));
  const spans = [...operations.filter(isCheckpoint).flatMap(spanOf), ...open];
  const attributedChanges: AttributedChange[] = [];
  let before: Stated | undefined;
  for (const operation of operations) {
    if (operation.state === null) continue;
    const at = operation as Stated;
    if (before !== undefined) {
      const isPlanned = isRollback(at);
      // A commit of a step has the state of the record before it.
      const isGap = isCheckpoint(at) ? at.previous !== before.id : !isPlanned && !sameState(at.state, before.state);
      attributedChanges.push({ before, at, isPlanned, isGap, actors: isGap ? [] : actorsOf(at, spans) });
    }
    before = at;
  }
  return attributedChanges;
};

/** From the newest record when a step began to the record of its end. */
interface Span {
  readonly began: number;
  readonly ended: number;
  readonly actor: Actor;
}

/** Of steps that have records between their ends; the others are known by their own record. */
const spanOf = (operation: Recorded<Checkpoint>): Span[] => {
  const { kind, event, sequence } = operation;
  const began = kind === 'after-step' ? event?.began : undefined;
  if (began === undefined || began + 1 === sequence || event?.touches?.length === 0) return [];
  return [{ began, ended: sequence, actor: actorOf(operation) }];
};

const actorsOf = (operation: Stated, spans: readonly Span[]): Actor[] => {
  if (!isCheckpoint(operation)) return [];
  const { sequence, session } = operation;
  const beside = spans.filter(({ began, ended }) => sequence > began && sequence < ended).map(({ actor }) => actor);
  const isOwn = operation.kind === 'after-step' || (isAgents(operation) && !beside.some((actor) => actor.session === session));
  return isOwn && operation.event?.touches?.length !== 0 ? [actorOf(operation), ...beside] : beside;
};

/** Whether what changed up to this record may be the doing of its own session's agent. */
const isAgents = ({ kind, event }: Checkpoint): boolean => kind === 'after-step' || event?.beside === true;

/** Whether a record is that of a step's end: something that can be rolled back and recovered by itself. */
export const isStep = (checkpoint: Checkpoint): boolean =>
  isAgents(checkpoint) && checkpoint.kind !== 'before-step' && checkpoint.event?.touches?.length !== 0;

const actorOf = ({ id, session, kind, event, description }: Recorded<Checkpoint>): Actor => {
  // What is known of the step that is about to begin says nothing of those beside it.
  const step = kind === 'after-step' ? event?.place : undefined;
  return {
    id,
    session,
    agent: event?.place.agent ?? '',
    agentId: step?.agentId ?? null,
    agentType: step?.agentType ?? null,
    turn: event?.turn ?? 0,
    tool: step?.tool ?? null,
    toolUseId: step?.toolUseId ?? null,
    description,
    touches: event?.touches ?? null,
  };
};

/** Who of the actors may have changed a path. */
export const ownersAt = ({ actors }: Pick<AttributedChange, 'actors'>, path: RelativePath): Actor[] =>
  actors.filter(({ touches }) => touches?.some((one) => isWithin(path, one)) ?? true);

/** What some actors may have changed; undefined when there is nothing. */
export const extentOf = (actors: readonly Pick<Actor, 'touches'>[]): Extent | undefined => {
  if (actors.some(({ touches }) => touches === null)) return {};
  const only = [...new Set(actors.flatMap(({ touches }) => touches ?? []))];
  return only.length === 0 ? undefined : { only };
};

/** The paths of some actors, where other agents changed something else in the same stretch. */
export const partOf = ({ actors }: AttributedChange, own: readonly Actor[]): { part?: readonly RelativePath[] } => {
  const [{ only } = {}, { only: all } = {}] = [extentOf(own), extentOf(actors)];
  return only !== undefined && (all === undefined || all.some((path) => !only.includes(path))) ? { part: only } : {};
};

/** What none of them can have changed; undefined when there is nothing. */
export const extentWithout = (actors: readonly Pick<Actor, 'touches'>[]): Extent | undefined => {
  const { only = null } = extentOf(actors) ?? { only: [] };
  if (only === null) return undefined;
  return only.length === 0 ? {} : { except: only };
};
