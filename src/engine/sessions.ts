import { type Message, type SessionId, toText } from '../model/index.ts';
import { TRANSCRIPT_AGENTS, Transcript, type TranscriptFile, transcriptsOf } from '../transcript/index.ts';
import { currentSession } from './turns.ts';
import type { Workspace } from './workspace.ts';

/** A conversation of an agent in this workspace. */
export interface SessionSummary {
  readonly id: SessionId;
  readonly agent: string;
  /** The first prompt. */
  readonly title: string;
  /** `unrecorded`: from before Retake, so that there is a conversation and no code. */
  readonly state: 'open' | 'ended' | 'unrecorded';
  readonly isCurrent: boolean;
  readonly turns: number;
  /** Steps that changed something. */
  readonly steps: number;
  /** Null where the agent's file is gone. */
  readonly messages: number | null;
  readonly startedAt: string | null;
  readonly lastAt: string | null;
}

/** What a conversation says of itself. */
interface Said {
  readonly title: string;
  readonly turns: number;
  readonly messages: number;
  readonly startedAt: string | null;
  readonly lastAt: string | null;
}

/** Every session of this workspace, those recorded and those that were there before, newest first. */
export const readSessions = (workspace: Workspace): SessionSummary[] => {
  const files = new Map(
    TRANSCRIPT_AGENTS.flatMap((agent) => transcriptsOf(agent, toText(workspace.root))).map((file) => [file.session, file] as const),
  );
  const current = workspace.isProtected ? currentSession(workspace) : undefined;
  const recorded = (workspace.isProtected ? workspace.index.sessions() : []).map((session): SessionSummary => {
    const file = files.get(session.id);
    const said = file && saidIn(workspace, file);
    files.delete(session.id);
    const { id, agent, turns, steps, startedAt, lastAt, title } = session;
    const state = session.isEnded ? 'ended' : 'open';
    return {
      id,
      agent,
      title: title ?? said?.title ?? '',
      state,
      isCurrent: id === current,
      turns,
      steps,
      messages: said?.messages ?? null,
      startedAt,
      lastAt,
    };
  });
  const others = [...files.values()].map((file): SessionSummary => {
    const said = saidIn(workspace, file);
    return { id: file.session, agent: file.agent, state: 'unrecorded', isCurrent: file.session === current, steps: 0, ...said };
  });
  return [...recorded, ...others].sort((a, b) => Date.parse(b.lastAt ?? '0') - Date.parse(a.lastAt ?? '0'));
};

/** Remembered, because a file that did not change says the same again. */
const saidIn = (workspace: Workspace, file: TranscriptFile): Said => {
  const stamp = `${file.bytes} ${file.modifiedAt}`;
  // Looking leaves no trace where nothing is protected.
  const index = workspace.isProtected ? workspace.index : undefined;
  const known = index?.recall<Said>(file.path, stamp);
  if (known !== undefined) return known;
  const transcript = Transcript.open(file);
  transcript.refresh();
  const said = summarize(transcript.current);
  index?.rememberFor(file.path, stamp, said);
  return said;
};

const summarize = (messages: readonly Message[]): Said => {
  const prompts = messages.filter(({ kind }) => kind === 'prompt');
  const times = messages.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    title: prompts[0]?.text.trim().split('\n', 1)[0]?.slice(0, 200) ?? '',
    turns: prompts.length,
    messages: messages.length,
    startedAt: times[0] ?? null,
    lastAt: times.at(-1) ?? null,
  };
};
