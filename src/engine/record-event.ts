import { now } from '../host/index.ts';
import { type AgentEvent, type AgentEventKind, type Checkpoint, type Recorded, type RecordedEvent, sameState } from '../model/index.ts';
import { recordCheckpoint } from './checkpoint.ts';
import { OpenSteps } from './open-steps.ts';
import { capturePresent, type Present } from './present.ts';
import type { Workspace } from './workspace.ts';

export interface RecordedAgentEvent {
  /** Null when there was nothing to record: nothing had changed, or the event was recorded before. */
  readonly checkpoint: Recorded<Checkpoint> | null;
  readonly isRepeated: boolean;
}

/** These mark a place in the conversation, whether or not a file changed. The others are made only for changes (CKP-1, CKP-5). */
const ALWAYS: ReadonlySet<AgentEventKind> = new Set(['session-start', 'prompt', 'session-end']);

/** How long the same words are taken for the same event, where the agent gave it no id. */
const BRIEF = 10_000;

/** Records what an agent's hook told of (CKP-1). `late` tells how many milliseconds ago that was, when it is long. */
export const recordEvent = (workspace: Workspace, event: AgentEvent, late?: number): Promise<RecordedAgentEvent> =>
  workspace.write(async () => {
    const before = recordedBefore(workspace, event);
    if (before !== undefined) {
      noteBegunBefore(workspace, event, before);
      return { checkpoint: null, isRepeated: true };
    }
    const { session, kind, place, key, description } = event;
    const steps = new OpenSteps(workspace);
    const began = kind === 'after-step' && place.toolUseId !== undefined ? steps.began(session, place.toolUseId) : undefined;
    const turn = workspace.index.countPrompts(session) + (kind === 'prompt' ? 1 : 0);
    const details: RecordedEvent = {
      key,
      place,
      turn,
      ...(began === undefined ? {} : { began }),
      ...(late === undefined ? {} : { late }),
    };

    const present = await capturePresent(workspace);
    const newest = workspace.index.newestContent();
    // A step that ran beside another may end after that one recorded its changes too: it is compared with how things were when
    // it began, so that both are known to share them.
    const reference = began === undefined ? newest : workspace.index.newestContent({ upTo: began });
    const isWorthIt = ALWAYS.has(kind) || !isSame(reference, present);
    const checkpoint = isWorthIt
      ? recordCheckpoint(workspace, present, { kind, session, description, event: details }, { newest, later: workspace.putsOff })
      : null;
    if (checkpoint === null) dismiss(workspace, present, newest);
    noteSteps(workspace, steps, event);
    return { checkpoint, isRepeated: false };
  });

const recordedBefore = ({ index }: Workspace, { session, key, keyIsBrief }: AgentEvent): Recorded<Checkpoint> | undefined => {
  const before = index.byEvent(session, key);
  return before !== undefined && keyIsBrief && Math.abs(now().getTime() - Date.parse(before.createdAt)) > BRIEF ? undefined : before;
};

/** Whoever recorded it may have been killed before it could note that the step is under way. */
const noteBegunBefore = (workspace: Workspace, { kind, session, place }: AgentEvent, { sequence }: Recorded): void => {
  if (kind === 'before-step' && place.toolUseId !== undefined) new OpenSteps(workspace).begin(session, place.toolUseId, sequence);
};

const isSame = (recorded: Recorded | undefined, { state }: Present): boolean => recorded?.state != null && sameState(recorded.state, state);

const dismiss = (workspace: Workspace, present: Present, newest: Recorded | undefined): void => {
  present.batch.abandon();
  if (newest !== undefined && isSame(newest, present)) workspace.memory.confirm(present, newest.id);
};

const noteSteps = ({ store }: Workspace, steps: OpenSteps, { kind, session, place }: AgentEvent): void => {
  if (kind === 'turn-end' || kind === 'session-end' || kind === 'prompt') steps.endAll(session);
  else if (place.toolUseId === undefined) return;
  else if (kind === 'before-step') steps.begin(session, place.toolUseId, store.log.newest?.sequence ?? 0);
  else if (kind === 'after-step') steps.end(session, place.toolUseId);
};
