import type { SessionId } from '../../model/index.ts';
import type { Outline, OutlinedPrompt } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { measured } from '../timing/measured.ts';
import { readConversations } from './branches.ts';
import { readOutlines } from './outlines.ts';
import { readOwnTurns } from './session-counts.ts';
import { readOutcomes, type SessionOutcome } from './session-status.ts';
import { currentSession } from './turns.ts';

/** A conversation of an agent in this workspace, and what became of its work. */
export interface SessionSummary extends SessionOutcome {
  readonly id: SessionId;
  readonly agent: string;
  /** The first prompt. */
  readonly title: string;
  /** `unrecorded`: there is a conversation and no code, because it is from before Retake, or was written by it and nobody has gone on with it. */
  readonly state: 'open' | 'ended' | 'unrecorded';
  readonly isCurrent: boolean;
  /** It took place in another workspace. */
  readonly isImported: boolean;
  /** Its own, on whatever branch of the conversation; those that it has copies of are other sessions'. */
  readonly turns: number;
  /** All that were recorded in it, on whatever branch. */
  readonly steps: number;
  /** Null where the agent's file is gone. */
  readonly messages: number | null;
  readonly startedAt: string | null;
  readonly lastAt: string | null;
}

/** Every session of this workspace, those recorded and those that were there before, newest first. */
export const readSessions = (workspace: Workspace): SessionSummary[] => measured(workspace, 'sessions', () => read(workspace));

const read = (workspace: Workspace): SessionSummary[] => {
  const outlines = new Map(readOutlines(workspace).map((outline) => [outline.session, outline] as const));
  const current = workspace.isProtected ? currentSession(workspace) : undefined;
  const outcomeOf = readOutcomes(workspace);
  const turnsOf = readOwnTurns(workspace, readConversations(workspace));
  const recorded = (workspace.isProtected ? workspace.index.sessions() : []).map((session): SessionSummary => {
    const outline = outlines.get(session.id);
    const said = outline && saidIn(outline);
    outlines.delete(session.id);
    const { id, agent, steps, startedAt, lastAt, title } = session;
    const state = session.isEnded ? 'ended' : 'open';
    return {
      id,
      agent,
      title: title ?? said?.title ?? '',
      state,
      isCurrent: id === current,
      isImported: session.line !== null,
      turns: turnsOf(id),
      steps,
      messages: said?.messages ?? null,
      startedAt,
      lastAt,
      ...outcomeOf(id),
    };
  });
  const others = [...outlines.values()].map((outline): SessionSummary => {
    const { session: id, agent } = outline;
    const state = 'unrecorded';
    return {
      id,
      agent,
      state,
      isCurrent: id === current,
      isImported: false,
      turns: turnsOf(id),
      steps: 0,
      ...saidIn(outline),
      ...outcomeOf(id),
    };
  });
  return [...recorded, ...others].sort((a, b) => Date.parse(b.lastAt ?? '0') - Date.parse(a.lastAt ?? '0'));
};

/** What a conversation says of itself, on the branch that it is on. */
const saidIn = ({ prompts, leaf, startedAt, lastAt }: Outline) => {
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const branch: OutlinedPrompt[] = [];
  for (let at = leaf === null ? undefined : byId.get(leaf); at !== undefined && !branch.includes(at); ) {
    branch.push(at);
    at = at.parent === null ? undefined : byId.get(at.parent);
  }
  return {
    title: branch.at(-1)?.title ?? '',
    messages: branch.reduce((sum, { messages }) => sum + messages, 0),
    startedAt,
    lastAt,
  };
};
