import { diffStates, leafChanges } from '../../diff/index.ts';
import {
  type Checkpoint,
  lineOf,
  type PlanStep,
  type Recorded,
  type RelativePath,
  type SessionId,
  toText,
  type WorkspaceState,
} from '../../model/index.ts';
import { type AttributedChange, ownersAt } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { runningActors } from '../record/running-steps.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { trailFrom } from './trail.ts';

/** Who changed a path since a checkpoint. */
export interface PathShare {
  readonly path: RelativePath;
  /** Null where only rollbacks and their kin did. */
  readonly by: 'agent' | 'person' | 'both' | null;
  /** The agents' sessions among them. */
  readonly sessions: readonly SessionId[];
}

/** Whether the person changed it, alone or besides agents. */
export const isPersons = ({ by }: PathShare): boolean => by === 'person' || by === 'both';

/**
 * Who changed what is not as it was at a checkpoint, in path order. What is not recorded yet is the doing of steps that run, and else the
 * person's. Where no agent was at work, and of what was done elsewhere, there is nothing to tell.
 */
export const sharesSince = (workspace: Workspace, target: Recorded<Checkpoint>, present: WorkspaceState): PathShare[] => {
  if (lineOf(target) !== null) return [];
  const { objects } = workspace.store;
  const differing = leafChanges(diffStates(objects, target.state, present)).map(({ path }) => path);
  if (differing.length === 0) return [];
  const known = new Map(differing.map((path) => [path, { isPersons: false, sessions: new Set<SessionId>() }]));
  const { attributedChanges, operations } = trailFrom(workspace, target);
  for (const attributed of attributedChanges.filter(({ isPlanned }) => !isPlanned)) {
    for (const { path } of leafChanges(diffStates(objects, attributed.before.state, attributed.at.state)))
      note(known.get(path), attributed, path);
  }
  const newest = operations.findLast(({ state }) => state !== null)?.state ?? null;
  const running = { actors: runningActors(workspace) };
  for (const { path } of leafChanges(diffStates(objects, newest, present))) note(known.get(path), running, path);
  if (target.event === undefined && ![...known.values()].some(({ sessions }) => sessions.size > 0)) return [];
  return [...known].map(([path, { isPersons, sessions }]) => ({
    path,
    by: sessions.size === 0 ? (isPersons ? 'person' : null) : isPersons ? 'both' : 'agent',
    sessions: [...sessions],
  }));
};

interface Noted {
  isPersons: boolean;
  readonly sessions: Set<SessionId>;
}

const note = (share: Noted | undefined, attributed: Pick<AttributedChange, 'actors'>, path: RelativePath): void => {
  const owners = share === undefined ? [] : ownersAt(attributed, path);
  for (const { session } of owners) share?.sessions.add(session);
  if (share !== undefined && owners.length === 0) share.isPersons = true;
};

/** What a person should know before somebody's work goes, or does not. */
export const warningsOfShares = (request: RollbackRequest, shares: readonly PathShare[], steps: readonly PlanStep[]): string[] => {
  const goes = new Set(steps.map(({ path }) => path));
  const { staying = [] } = request;
  const isExact = request.replay === undefined || staying.length > 0;
  const lost = isExact && !request.keepsMine ? shares.filter((share) => goes.has(share.path) && isPersons(share)) : [];
  const isOthers = ({ sessions }: PathShare): boolean => sessions.some((session) => staying.includes(session));
  const others = shares.filter(isOthers);
  const joint = others.filter(({ sessions }) => sessions.some((session) => !staying.includes(session)));
  return [
    ...(lost.length === 0 ? [] : [`${listed(lost)} changed by other hands than the agent's, which goes back too; --keep-mine keeps that`]),
    ...(others.length === 0
      ? []
      : [
          `session ${staying.join(', ')} worked here at the same time: what it did stays (${names(others)}); --all-sessions takes it back too`,
        ]),
    ...joint.map(({ path, sessions }) => `${toText(path)} was changed by sessions ${sessions.join(' and ')}`),
  ];
};

const MOST = 5;

const names = (shares: readonly PathShare[]): string =>
  shares
    .slice(0, MOST)
    .map(({ path }) => toText(path))
    .join(', ') + (shares.length > MOST ? ` and ${shares.length - MOST} more` : '');

const listed = (shares: readonly PathShare[]): string => `${names(shares)} ${shares.length === 1 ? 'was' : 'were'}`;
