import { applyChanges, diffStates, entryAt, leafChanges } from '../../diff/index.ts';
import {
  isCheckpoint,
  isRollback,
  isWithin,
  type OperationId,
  type RelativePath,
  type SessionId,
  type WorkspaceState,
} from '../../model/index.ts';
import { commitMessage, headlineOf, type WorkStep, withTrailers } from '../../timeline/index.ts';
import type { Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import type { KeepUnit, KeepUnits } from '../keep/keep-units.ts';
import type { RecoverableStep } from './recover-steps.ts';
import type { RecoveryPart } from './recovery-parts.ts';
import { replayOnto } from './replay-request.ts';
import { promptBefore } from './session-work.ts';

/** What was asked for as one, and what it changed in the workspace. */
interface Unit {
  /** Null where all is one. */
  readonly key: OperationId | null;
  readonly steps: readonly RecoverableStep[];
  readonly changes: KeepUnit['changes'];
  readonly known: OperationId;
}

/** The changes of a recovery by the commits that they are to become: what really came of each step, as was chosen or finished by hand. */
export const recoveryUnits = (workspace: Workspace, session: SessionId, parts: readonly RecoveryPart[], present: Present): KeepUnits => {
  const units = parts.flatMap((part) => unitsOf(workspace, part, present)).reduce<Unit[]>(joined, []);
  const isPlanned = parts.some(({ before }) => before === null);
  return {
    session,
    units: units.map((unit) => keepUnit(workspace, session, unit)),
    rules: present,
    // The session's other work may still be to be kept, with what the person changed meanwhile.
    through: workspace.index.keeps(session).at(-1)?.through ?? 0,
    ...(isPlanned ? {} : { isMeant: isDone(workspace, units, present.state) }),
  };
};

const unitsOf = (workspace: Workspace, { before, steps, replay, marked, finished, known }: RecoveryPart, present: Present): Unit[] => {
  const { batch } = present;
  const start = before ?? present.state;
  const { states } = replayOnto(workspace, replay, { state: start, batch });
  const byHand = (state: WorkspaceState): WorkspaceState =>
    marked.length === 0 ? state : withPaths(workspace, present, state, finished ?? present.state, marked);
  return states.map((state, at): Unit => {
    const step = steps[at] as RecoverableStep;
    const from = states[at - 1] ?? start;
    const to = at === states.length - 1 ? byHand(state) : state;
    return { key: replay.squash ? null : step.unit, steps: [step], changes: [{ before: from, after: to }], known };
  });
};

const joined = (units: Unit[], unit: Unit): Unit[] => {
  const last = units.at(-1);
  if (last === undefined || last.key !== unit.key) return [...units, unit];
  return [...units.slice(0, -1), { ...unit, steps: [...last.steps, ...unit.steps], changes: [...last.changes, ...unit.changes] }];
};

/** A state with some paths as another one has them. */
const withPaths = (
  { store: { objects } }: Workspace,
  { batch }: Present,
  state: WorkspaceState,
  from: WorkspaceState,
  paths: readonly RelativePath[],
): WorkspaceState => {
  const changes = leafChanges(diffStates(objects, state, from)).filter(({ path }) => paths.some((one) => isWithin(path, one)));
  const made = applyChanges(objects, batch, state, changes);
  batch.flush();
  return made;
};

/** A path that the recovery left alone, or that was put back since, has nothing to be committed. */
const isDone = ({ store: { objects } }: Workspace, units: readonly Unit[], present: WorkspaceState): KeepUnits['isMeant'] & {} => {
  const [first, last] = [units[0]?.changes[0]?.before, units.at(-1)?.changes.at(-1)?.after];
  const at = (state: WorkspaceState | undefined, path: RelativePath): string => {
    const entry = state && entryAt(objects, state, path);
    return entry === undefined ? '' : `${entry.mode} ${entry.id}`;
  };
  return (path) => at(last, path) === at(first, path) || at(present, path) !== at(first, path);
};

const keepUnit = (workspace: Workspace, session: SessionId, { steps, changes, known }: Unit): KeepUnit => {
  const work = steps.flatMap((step) => step.work);
  const checkpoint = work.at(-1)?.checkpoint ?? known;
  return {
    turns: [...new Set(work.map(({ turn }) => turn))].sort((a, b) => a - b),
    steps: work,
    message: messageOf(workspace, session, steps, checkpoint),
    changes,
    checkpoint,
  };
};

const messageOf = (workspace: Workspace, session: SessionId, steps: readonly RecoverableStep[], checkpoint: OperationId): string => {
  const asked = [...Map.groupBy(steps, ({ unit }) => unit).values()];
  const [only] = steps;
  if (asked.length === 1 && only?.commit !== undefined)
    return withTrailers(only.commit.message, { session: only.commit.session, checkpoint });
  const work = steps.flatMap((step) => step.work);
  const told = { session: only?.target?.session ?? session, agent: agentOf(workspace, work), steps: work, checkpoint };
  const isStep = asked.length === 1 && isOneStep(workspace, only);
  return commitMessage({ ...told, prompts: isStep ? [] : asked.flatMap((own) => textsOf(workspace, own)), ...titleOf(only) });
};

const titleOf = (step: RecoverableStep | undefined) => (step === undefined ? {} : { title: step.title });

const isOneStep = (workspace: Workspace, step: RecoverableStep | undefined): boolean => {
  if (step === undefined || step.unit !== step.id) return false;
  const operation = workspace.index.get(step.id)?.operation;
  return operation !== undefined && !isRollback(operation);
};

/** What was asked for, in the words it is known by. */
const textsOf = (workspace: Workspace, steps: readonly RecoverableStep[]): string[] => {
  const [first] = steps;
  if (first?.commit !== undefined) return [first.commit.message];
  const work = steps.flatMap((step) => step.work);
  if (isOneStep(workspace, first) && first?.target != null)
    return [
      headlineOf(
        commitMessage({ session: first.target.session, agent: agentOf(workspace, work), prompts: [], steps: work, checkpoint: first.id }),
      ),
    ];
  const prompts = work.flatMap(({ checkpoint, sequence }) => {
    const session = workspace.index.get(checkpoint)?.operation.session;
    return session === undefined ? [] : (promptBefore(workspace, session, sequence) ?? []);
  });
  return [...new Set(prompts)];
};

const agentOf = ({ index }: Workspace, work: readonly WorkStep[]): string | null => {
  const last = work.at(-1);
  const operation = last && index.get(last.checkpoint)?.operation;
  return operation !== undefined && isCheckpoint(operation) ? (operation.event?.place.agent ?? null) : null;
};
