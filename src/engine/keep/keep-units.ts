import type { Passage } from '../../diff/index.ts';
import {
  type Keep,
  type OperationId,
  type Recorded,
  type RelativePath,
  RetakeError,
  type SessionId,
  type WorkspaceState,
} from '../../model/index.ts';
import type { Content } from '../../store/index.ts';
import { commitMessage, type WorkStep } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type SessionWork, stepsOf } from '../recover/session-work.ts';

export interface KeepRequest {
  readonly session?: SessionId | undefined;
  /** A commit per turn, instead of one for all. */
  readonly each?: boolean | undefined;
  /** What the person changed in between goes along. */
  readonly all?: boolean | undefined;
}

/** What is to become one commit. */
export interface KeepUnit {
  readonly turns: readonly number[];
  readonly steps: readonly WorkStep[];
  readonly message: string;
  /** The changes of the workspace that it is made of, in order. */
  readonly changes: readonly Passage[];
  /** Where it ends. */
  readonly checkpoint: OperationId;
}

export interface KeepUnits {
  readonly session: SessionId;
  readonly units: readonly KeepUnit[];
  /** The rules that tell what belongs in a commit: those in force at the end. */
  readonly rules: Content;
  /** Up to where all that was recorded is looked at; to the present unless this says otherwise. */
  readonly through?: number;
  /** Where only some paths are meant. */
  readonly isMeant?: (path: RelativePath) => boolean;
}

type Turn = SessionWork['turns'][number];

/** A session's work by the commits it is to become: what is in none of `keeps`. */
export const keepUnits = (
  workspace: Workspace,
  work: SessionWork,
  keeps: readonly Recorded<Keep>[],
  request: KeepRequest,
  present: Content,
): KeepUnits => {
  const turns = turnsToKeep(work, keeps);
  const last = stepsOf({ turns }).at(-1);
  if (last === undefined) throw nothingToKeep(work.session, keeps.length > 0);
  const groups = request.each ? turns.map((turn) => [turn]) : [turns];
  const states = request.all ? wholeStates(groups, startOf(workspace, work, keeps.at(-1)?.through), present.state) : undefined;
  return {
    session: work.session,
    units: groups.map((group, at) => unitOf(work, group, states?.[at])),
    rules: request.all ? present : { manifest: workspace.store.log.manifest(last.checkpoint), state: last.after },
  };
};

/** Some steps as one unit: a turn's is called by its prompt, any other by the last step. */
export const stepUnit = ({ store, settings }: Workspace, work: SessionWork, steps: readonly WorkStep[]): KeepUnits => {
  const meant = new Set(steps.map(({ checkpoint }) => checkpoint));
  const isTurn = settings['history.batch'] === 'turn';
  const turns = work.turns
    .map(({ prompt, ...turn }) => ({
      ...turn,
      prompt: isTurn ? prompt : null,
      steps: turn.steps.filter(({ checkpoint }) => meant.has(checkpoint)),
    }))
    .filter((turn) => turn.steps.length > 0);
  const last = steps.at(-1) as WorkStep;
  return {
    session: work.session,
    units: [unitOf(work, turns, undefined, last)],
    rules: { manifest: store.log.manifest(last.checkpoint), state: last.after },
  };
};

/** What is in none of `keeps`, oldest first. */
export const stepsToKeep = (work: SessionWork, keeps: readonly Recorded<Keep>[]): WorkStep[] =>
  stepsOf({ turns: turnsToKeep(work, keeps) });

const turnsToKeep = (work: SessionWork, keeps: readonly Recorded<Keep>[]): Turn[] => {
  const kept = new Set(keeps.flatMap(({ steps }) => steps));
  return work.turns
    .map((turn) => ({ ...turn, steps: turn.steps.filter(({ checkpoint }) => !kept.has(checkpoint)) }))
    .filter(({ steps }) => steps.length > 0)
    .sort((a, b) => (a.steps[0]?.sequence ?? 0) - (b.steps[0]?.sequence ?? 0));
};

export const nothingToKeep = (session: SessionId, isKept: boolean): RetakeError =>
  new RetakeError('nothing-to-keep', `There is nothing of session ${session} to keep${isKept ? ' since the last time' : ''}`, {
    hint: 'retake sessions shows what became of the work of each session.',
  });

const unitOf = (work: SessionWork, turns: readonly Turn[], whole: Passage | undefined, lead?: WorkStep): KeepUnit => {
  const steps = stepsOf({ turns });
  const checkpoint = steps.at(-1)?.checkpoint as OperationId;
  const prompts = turns.flatMap(({ prompt }) => (prompt === null ? [] : [prompt.text]));
  return {
    turns: turns.map(({ turn }) => turn).sort((a, b) => a - b),
    steps,
    message: commitMessage({
      session: work.session,
      agent: work.agent || null,
      prompts,
      steps: steps.flatMap((step) => step.broughtBack ?? [step]),
      lead: lead ?? steps[0],
      checkpoint,
    }),
    changes: whole === undefined ? steps : [whole],
    checkpoint,
  };
};

/** From where each begins to where the next one does. */
const wholeStates = (groups: readonly (readonly Turn[])[], start: WorkspaceState, present: WorkspaceState): KeepUnit['changes'] => {
  const begins = groups.map(([first], at) => (at === 0 ? start : (first?.start ?? start)));
  return begins.map((before, at) => ({ before, after: begins[at + 1] ?? present }));
};

const startOf = ({ index }: Workspace, { start }: SessionWork, through: number | undefined): WorkspaceState => {
  const since = through === undefined ? undefined : index.newestContent({ upTo: through });
  return since?.state ?? (start.state as WorkspaceState);
};
