import { now, type ProcessName } from '../../host/index.ts';
import type { AgentEvent, AgentEventKind, Checkpoint, Recorded, RecordedEvent, RelativePath } from '../../model/index.ts';
import { tellNews } from '../conversation/tell-news.ts';
import { NamedFiles } from '../core/named-files.ts';
import { OutsideFiles } from '../core/outside-files.ts';
import { pathInWorkspace, pathsThroughLinks } from '../core/paths.ts';
import { capturePresent, isRecordedAs, type Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { noteCommitting } from '../keep/committing-since.ts';
import { measured } from '../timing/measured.ts';
import { recordCheckpoint } from './checkpoint.ts';
import { type OpenStep, OpenSteps } from './open-steps.ts';
import { recordQueuedPrompts } from './queued-prompts.ts';

export interface RecordedAgentEvent {
  /** Null when there was nothing to record: nothing had changed, or the event was recorded before. */
  readonly checkpoint: Recorded<Checkpoint> | null;
  readonly isRepeated: boolean;
  /** What the agent should be told now. */
  readonly news: string | null;
}

/** These mark a place between turns, whether or not a file changed. The others are made only for changes (CKP-1, CKP-5). */
const BETWEEN_TURNS: ReadonlySet<AgentEventKind> = new Set(['session-start', 'prompt', 'session-end']);

/** How long the same words are taken for the same event, where the agent gave it no id. */
const BRIEF = 10_000;

export interface EventCircumstances {
  /** How many milliseconds ago it was, when that is long. */
  readonly late?: number | undefined;
  /** The agent does not hear what we answer. */
  readonly isUnheard?: boolean;
  /** The agent's. */
  readonly process?: ProcessName | undefined;
}

/** Records what an agent's hook told of, unless that is switched off (CKP-1). */
export const recordEvent = (
  workspace: Workspace,
  event: AgentEvent,
  circumstances: EventCircumstances = {},
): Promise<RecordedAgentEvent> =>
  isSwitchedOff(workspace, event)
    ? Promise.resolve({ checkpoint: null, isRepeated: false, news: null })
    : measured(workspace, 'event', () => record(workspace, event, circumstances));

const isSwitchedOff = ({ settings }: Workspace, { place: { tool } }: AgentEvent): boolean =>
  !settings['record.automatic'] || (tool !== undefined && settings['record.skipTools'].includes(tool));

const record = (workspace: Workspace, event: AgentEvent, circumstances: EventCircumstances): Promise<RecordedAgentEvent> =>
  workspace.write(async () => {
    const { late, isUnheard = false } = circumstances;
    const before = recordedBefore(workspace, event);
    if (before !== undefined) {
      noteBegunBefore(workspace, event, before, circumstances);
      return { checkpoint: null, isRepeated: true, news: null };
    }
    noteCommitting(workspace);
    recordQueuedPrompts(workspace, event);
    const { session, kind, place, key, description } = event;
    const files = sortFiles(workspace, event);
    if (files.inside.length > 0) new NamedFiles(workspace).add(files.inside);
    const steps = new OpenSteps(workspace);
    const began = kind === 'after-step' && place.toolUseId !== undefined ? steps.began(session, place.toolUseId) : undefined;
    const news = tellNews(workspace, event, isUnheard);
    const isAdded = isAddedPrompt(workspace, event);
    const beginsTurn = kind === 'prompt' && !isAdded && !event.isLocal;
    const turn = workspace.index.countTurns(session) + (beginsTurn ? 1 : 0);
    const details: RecordedEvent = {
      key,
      place,
      turn,
      ...(began === undefined ? {} : { began }),
      ...conversationOf(event),
      ...(late === undefined ? {} : { late }),
      ...(kind === 'prompt' && news !== null && isUnheard ? { untold: true } : {}),
      ...(kind === 'prompt' && !beginsTurn ? { added: true } : {}),
      ...touchesOf(workspace, steps, event),
    };

    const present = isAdded ? await capturePresent(workspace) : await presentAfterInterruption(workspace, steps, event);
    const newest = workspace.index.newestContent();
    // A step that ran beside another may end after that one recorded its changes too: it is compared with how things were when
    // it began, so that both are known to share them.
    const reference = began === undefined || isCommitOf(newest, began) ? newest : workspace.index.newestContent({ upTo: began });
    const known = files.outside.length === 0 ? undefined : new OutsideFiles(workspace);
    const outside = known?.changed(files.outside, present.batch, workspace.settings['capture.maxFileBytes']) ?? [];
    const isWorthIt = BETWEEN_TURNS.has(kind) || outside.length > 0 || !isSame(reference, present);
    const what = { kind, session, description, event: details, ...(outside.length === 0 ? {} : { outside }) };
    const checkpoint = isWorthIt ? recordCheckpoint(workspace, present, what, { newest, deferred: workspace.defersWork }) : null;
    known?.remember(outside);
    if (checkpoint === null) dismiss(workspace, present, newest);
    if (!isAdded) noteSteps(workspace, steps, event, circumstances);
    return { checkpoint, isRepeated: false, news: isUnheard ? null : news };
  });

/** A commit of ours that was made during a step, of what was there before it: nothing that the step did. */
const isCommitOf = (newest: Recorded | undefined, began: number): boolean => newest?.kind === 'keep' && newest.through <= began;

const isAddedPrompt = ({ index }: Workspace, { kind, session, place: { promptId } }: AgentEvent): boolean =>
  kind === 'prompt' && promptId !== undefined && index.newestPrompt(session)?.event?.place.promptId === promptId;

/** What can have changed it: the step itself, or those of the session that are under way. */
const touchesOf = (workspace: Workspace, steps: OpenSteps, event: AgentEvent): Pick<RecordedEvent, 'beside' | 'touches'> => {
  const { kind, session } = event;
  if (kind === 'after-step') return touchedBy(workspace, event);
  return kind === 'before-step' || kind === 'turn-end' ? besides(steps.changing(session)) : {};
};

const besides = (underWay: readonly OpenStep[]): Pick<RecordedEvent, 'beside' | 'touches'> => {
  if (underWay.length === 0) return {};
  const touches = underWay.flatMap((step) => step.touches ?? []);
  return { beside: true, ...(underWay.some((step) => step.touches === undefined) ? {} : { touches: [...new Set(touches)] }) };
};

/** A tool that names a link changes what it leads to. */
const touchedBy = (workspace: Workspace, { touches, directory }: AgentEvent): Pick<RecordedEvent, 'touches'> =>
  touches === undefined ? {} : { touches: [...new Set(touches.flatMap((file) => pathsThroughLinks(workspace, file, directory)))] };

/**
 * The present. When the event shows that a step was cut short, what that step had changed by now is recorded first, as the end of
 * its turn: it is not what was done between turns.
 */
const presentAfterInterruption = async (
  workspace: Workspace,
  steps: OpenSteps,
  { kind, session, key, place }: AgentEvent,
): Promise<Present> => {
  const present = await capturePresent(workspace);
  const { index } = workspace;
  const underWay = steps.changing(session, { isOwn: true });
  if (!BETWEEN_TURNS.has(kind) || underWay.length === 0 || isSame(index.newestContent(), present)) return present;
  recordCheckpoint(workspace, present, {
    kind: 'turn-end',
    session,
    description: 'End of turn (interrupted)',
    event: { key: `turn-end before ${key}`, place: { agent: place.agent }, turn: index.countTurns(session), ...besides(underWay) },
  });
  return capturePresent(workspace);
};

const sortFiles = (workspace: Workspace, { files, directory }: AgentEvent) => {
  const sorted: { inside: RelativePath[]; outside: string[] } = { inside: [], outside: [] };
  for (const file of files) {
    const path = pathInWorkspace(workspace, file, directory);
    if (path === undefined) sorted.outside.push(file);
    else sorted.inside.push(path);
  }
  return sorted;
};

/** Said once a turn: the rest of it is in the same place. */
const conversationOf = ({ kind, transcript, directory }: AgentEvent): Pick<RecordedEvent, 'conversation'> =>
  transcript !== undefined && (kind === 'prompt' || kind === 'session-start') ? { conversation: { transcript, directory } } : {};

const recordedBefore = ({ index }: Workspace, { session, key, keyIsBrief }: AgentEvent): Recorded<Checkpoint> | undefined => {
  const before = index.byEvent(session, key);
  return before !== undefined && keyIsBrief && Math.abs(now().getTime() - Date.parse(before.createdAt)) > BRIEF ? undefined : before;
};

/** Whoever recorded it may have been killed before it could note that the step is under way. */
const noteBegunBefore = (workspace: Workspace, event: AgentEvent, { sequence }: Recorded, circumstances: EventCircumstances): void => {
  const { kind, place } = event;
  if (kind === 'before-step' && place.toolUseId !== undefined)
    new OpenSteps(workspace).begin(openStep(workspace, event, place.toolUseId, sequence, circumstances));
};

const isSame = (recorded: Recorded | undefined, present: Present): boolean => recorded !== undefined && isRecordedAs(recorded, present);

const dismiss = (workspace: Workspace, present: Present, newest: Recorded | undefined): void => {
  present.batch.abandon();
  if (newest !== undefined && isSame(newest, present)) workspace.memory.confirm(present, newest.id);
};

const noteSteps = (workspace: Workspace, steps: OpenSteps, event: AgentEvent, circumstances: EventCircumstances): void => {
  const { kind, session, place } = event;
  if (kind === 'session-end') steps.endSession(session);
  // An agent that starts, or goes on after it was compacted, does nothing yet.
  else if (kind === 'turn-end' || kind === 'prompt' || kind === 'session-start') steps.endTurn(session);
  else if (place.toolUseId === undefined) return;
  else if (kind === 'before-step')
    steps.begin(openStep(workspace, event, place.toolUseId, workspace.store.log.newest?.sequence ?? 0, circumstances));
  else if (kind === 'after-step') steps.end(session, place.toolUseId);
};

const openStep = (workspace: Workspace, event: AgentEvent, toolUseId: string, began: number, { process }: EventCircumstances): OpenStep => {
  const { session, agent, place, description } = event;
  const { agentId, agentType, tool } = place;
  return {
    session,
    toolUseId,
    began,
    agent,
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(tool === undefined ? {} : { tool }),
    description: description.replace(/^Before /, ''),
    turn: workspace.index.countTurns(session),
    since: now().toISOString(),
    ...(process === undefined ? {} : { process }),
    ...touchedBy(workspace, event),
  };
};
