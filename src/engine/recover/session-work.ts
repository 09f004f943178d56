import {
  type Checkpoint,
  type Line,
  lineOf,
  type OperationId,
  type Recorded,
  RetakeError,
  type SessionId,
  shortId,
} from '../../model/index.ts';
import { attributeChanges, byTurn, changesBy, inForce, type WorkStep, type WorkTurn } from '../../timeline/index.ts';
import { readConversations } from '../conversation/branches.ts';
import { conversationOf, currentSession, sessionLeftFor } from '../conversation/turns.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityOf } from './reachability.ts';

/** What a turn's work is known by. */
interface WorkPrompt {
  readonly checkpoint: OperationId;
  readonly promptId: string | null;
  /** All of it, or its first line where the conversation is gone. */
  readonly text: string;
}

/** What a session's agent changed and is in the present, by turns. */
export interface SessionWork {
  readonly session: SessionId;
  readonly agent: string;
  /** The workspace before it: the session's start, or the first that was recorded of it. */
  readonly start: Recorded<Checkpoint>;
  readonly turns: readonly (Omit<WorkTurn, 'prompt'> & { readonly prompt: WorkPrompt | null })[];
}

/** The work of a session that is in force, oldest first; without a name that of the session which is gone on with. */
export const workOf = (
  workspace: Workspace,
  named?: SessionId,
  { after = 0, isBrief = false }: { after?: number; isBrief?: boolean } = {},
): SessionWork => {
  const { session, first } = recordedSession(workspace, named);
  const { index } = workspace;
  const line = lineOf(first);
  const operations = readAll(workspace, { line });
  const done = changesBy(attributeChanges(operations), (actor) => actor.session === session);
  const steps = inForce(done, reachabilityOf(workspace, { line }), (id) => index.get(id)?.operation);
  // Who does not need the whole prompts is spared reading the conversation.
  const texts = isBrief ? new Map<string, string>() : promptTexts(workspace, session);
  const turns = byTurn(
    steps.filter(({ sequence }) => sequence > after),
    index.prompts(session),
  );
  return {
    session,
    agent: first.event?.place.agent ?? '',
    start: startOf(workspace, first),
    turns: turns.map(({ prompt, ...turn }) => ({ ...turn, prompt: prompt && describe(prompt, texts) })),
  };
};

/** Work that was done elsewhere is in no state of this workspace, so that there is nothing to take out or to commit. */
export const refuseImported = ({ session, start }: Pick<SessionWork, 'session' | 'start'>): void => {
  if (lineOf(start) === null) return;
  throw new RetakeError('imported', `Session ${session} was imported: its work was done elsewhere`, {
    hint: `retake rewind ${shortId(start.id)} goes to one of its checkpoints; retake recover STEP brings single steps into this workspace.`,
  });
};

export const stepsOf = ({ turns }: Pick<SessionWork, 'turns'>): WorkStep[] =>
  turns.flatMap(({ steps }) => steps).sort((a, b) => a.sequence - b.sequence);

/** What was recorded here, or on another line, oldest first; of a long one the part from a sequence number on. */
export const readAll = ({ index }: Workspace, { from = 0, line = null }: { from?: number; line?: Line } = {}): Recorded[] =>
  index
    .list({ from, line })
    .map(({ operation }) => operation)
    .reverse();

const recordedSession = (workspace: Workspace, named?: SessionId): { session: SessionId; first: Recorded<Checkpoint> } => {
  const session = workspace.isProtected ? (named ?? sessionAtWork(workspace)) : undefined;
  if (session === undefined)
    throw new RetakeError('unknown-id', "No agent's session is recorded here", {
      hint: 'retake setup claude-code has the work of an agent recorded.',
    });
  const first = workspace.index.firstEvent(session);
  if (first === undefined) throw unknown(`There is no session ${JSON.stringify(session)} here, or nothing of it is recorded`);
  return { session, first };
};

/**
 * The session that is gone on with. One that Retake wrote to go back or to another branch has nothing recorded before its first prompt: until then
 * the work is that of the session which it goes on from.
 */
const sessionAtWork = (workspace: Workspace): SessionId | undefined => {
  const current = currentSession(workspace) ?? sessionLeftFor(workspace, undefined);
  const isRecorded = (session: SessionId): boolean => workspace.index.firstEvent(session) !== undefined;
  if (current === undefined || isRecorded(current)) return current;
  return readConversations(workspace).tree.current(current)?.sessions.findLast(isRecorded) ?? current;
};

const unknown = (message: string): RetakeError => new RetakeError('unknown-id', message, { hint: 'retake sessions lists them.' });

/** The workspace before a session. Where recording began in the middle of a step, what was there before is the record of someone else. */
export const startOf = ({ index }: Workspace, first: Recorded<Checkpoint>): Recorded<Checkpoint> =>
  first.kind === 'after-step' || first.kind === 'turn-end' ? (index.checkpointBefore(first) ?? first) : first;

const promptTexts = (workspace: Workspace, session: SessionId): ReadonlyMap<string, string> =>
  new Map(
    conversationOf(workspace, session)?.messages.flatMap(({ kind, promptId, text, isAdded }) =>
      kind === 'prompt' && promptId !== null && !isAdded ? [[promptId, text] as const] : [],
    ),
  );

const describe = ({ id, description, event }: Recorded<Checkpoint>, texts: ReadonlyMap<string, string>): WorkPrompt => {
  const promptId = event?.place.promptId ?? null;
  return { checkpoint: id, promptId, text: (promptId === null ? undefined : texts.get(promptId)) ?? description };
};

/** The prompt of the turn that something recorded belongs to. */
export const promptBefore = (workspace: Workspace, session: SessionId, sequence: number): string | null => {
  const prompt = workspace.index.prompts(session).findLast((one) => one.sequence <= sequence);
  return prompt === undefined ? null : describe(prompt, promptTexts(workspace, session)).text;
};
