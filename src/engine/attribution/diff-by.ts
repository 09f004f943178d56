import { diffDirectories, diffFiles, patchFiles, replaySteps, type StateChange } from '../../diff/index.ts';
import { type Checkpoint, type Recorded, RetakeError, type SessionId, type WorkspaceState } from '../../model/index.ts';
import { type Actor, attributeChanges } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type DiffRequest, type DiffResult, limitTo } from '../read/diff.ts';
import { refuseUnknownPaths } from '../read/refuse-unknown-paths.ts';
import { type AddressOptions, resolveCheckpoint } from '../read/resolve.ts';
import { stateAt } from '../read/states.ts';
import { readAll } from '../recover/session-work.ts';
import { measured } from '../timing/measured.ts';
import { agentNamed, stepsNamed } from './actor-named.ts';
import { describeActors } from './describe-actors.ts';
import { LineBetween, type OwnPart } from './line-between.ts';

/** Whose changes are meant: all of a kind, or those of one. */
export type ChangedBy =
  | { readonly who: 'person' }
  | { readonly who: 'agent' | 'turn'; readonly name?: string | undefined }
  | { readonly who: 'step'; readonly name: string };

/** What the changes of a group have in common; null what they need not. */
export interface GroupOwner {
  readonly agent: string;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly session: SessionId;
  readonly turn: number | null;
  readonly prompt: string | null;
}

export interface DiffBy extends DiffResult {
  /** The same by agents or turns, in the order in which they began; what several did together is in each. */
  readonly groups: readonly (DiffResult & { readonly by: GroupOwner })[];
}

/** What agents, one of them, or the person changed between two points, without what the others changed. */
export const diffBy = (workspace: Workspace, by: ChangedBy, request: DiffRequest): Promise<DiffBy> =>
  measured(workspace, 'diff', () => compareBy(workspace, by, request));

const compareBy = async (workspace: Workspace, by: ChangedBy, request: DiffRequest): Promise<DiffBy> => {
  const { session, branch, to = '@' } = request;
  const from = resolveCheckpoint(workspace, request.from, { session, branch }).operation;
  const until = to === '@' ? undefined : resolveCheckpoint(workspace, to, { session, branch }).operation;
  const isMeant = by.who === 'person' ? undefined : meant(workspace, by, { session, branch });
  const end = await stateAt(workspace, to, request);
  return workspace.write(() => {
    const line = new LineBetween(workspace, from, until, end);
    const show = shower(workspace, from, request);
    const all = show(isMeant === undefined ? line.byPerson() : line.by(isMeant));
    refuseUnknownPaths(workspace, request.paths ?? [], { states: [from.state, end], changes: all.files });
    if (isMeant === undefined) return { ...all, groups: [] };
    const found = groupsOf(workspace, line, by.who, isMeant);
    const groups = found.map((group) => ({ by: group.by, ...(found.length === 1 ? all : show(line.by(group.isIn))) }));
    return { ...all, groups: groups.filter(({ files, directories }) => files.length + directories.length > 0) };
  });
};

/** Does changes again on the first state, and shows what comes of it. */
const shower = ({ store: { objects } }: Workspace, from: Recorded<Checkpoint>, { paths }: DiffRequest) => {
  const batch = objects.begin();
  return (parts: readonly OwnPart[]): DiffResult => {
    const replay = replaySteps(objects, batch, from.state as WorkspaceState, parts, { rest: 'theirs', ownLines: true });
    const changes: readonly StateChange[] = limitTo(replay.changes, paths);
    return { files: diffFiles(objects, changes), directories: diffDirectories(changes), patch: () => patchFiles(objects, changes) };
  };
};

type IsMeant = (actor: Actor) => boolean;

const meant = (workspace: Workspace, by: Exclude<ChangedBy, { who: 'person' }>, options: AddressOptions): IsMeant => {
  if (by.name === undefined) return (actor) => (options.session ?? actor.session) === actor.session;
  const attributedChanges = attributeChanges(readAll(workspace));
  if (by.who !== 'agent') return stepsNamed(workspace, attributedChanges, by.who === 'turn' ? `t${by.name}` : by.name, options);
  const named = agentNamed(workspace, attributedChanges, by.name, options);
  if (named !== undefined) return named.isMeant;
  const known = new Set(attributedChanges.flatMap(({ actors }) => actors.flatMap(({ agent, agentId }) => [agent, agentId ?? agent])));
  throw new RetakeError('unknown-id', `No agent ${JSON.stringify(by.name)} changed anything here`, {
    hint: known.size === 0 ? 'No agent is recorded here.' : `Those that did: ${[...known].join(', ')}`,
  });
};

interface Group {
  readonly by: GroupOwner;
  readonly isIn: IsMeant;
}

const groupsOf = (workspace: Workspace, line: LineBetween, who: ChangedBy['who'], isMeant: IsMeant): Group[] => {
  const told = describeActors(workspace, line.operations);
  const keyOf = ({ session, agent, agentId, turn, id }: Actor): string =>
    JSON.stringify({ agent: [session, agent, agentId], turn: [session, turn], step: [id], person: [] }[who]);
  const groups = new Map<string, Group>();
  for (const actor of line.actors.filter(isMeant)) {
    const key = keyOf(actor);
    if (groups.has(key)) continue;
    const { agent, agentId, agentType, session, turn, prompt } = told(actor);
    const subagent = who === 'turn' ? { agentId: null, agentType: null } : { agentId, agentType };
    const asked = who === 'agent' ? { turn: null, prompt: null } : { turn, prompt };
    groups.set(key, { by: { agent, ...subagent, session, ...asked }, isIn: (one) => isMeant(one) && keyOf(one) === key });
  }
  return [...groups.values()];
};
