import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { effects } from '../../host/index.ts';
import {
  type Checkpoint,
  type ConversationChange,
  lineOf,
  type Message,
  type Recorded,
  RetakeError,
  type SessionId,
  shortId,
  toText,
} from '../../model/index.ts';
import { turnPrompts } from '../../timeline/index.ts';
import { type Cut, findTranscript, resumeCommand, sessionFolder, Transcript, writeContinuation } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { UnrecordedPlace } from '../read/resolve.ts';
import { readOutlines } from './outlines.ts';
import { whyNotToldFile } from './told-file.ts';

/** A conversation and where its agent keeps it. */
export interface ConversationSource {
  readonly agent: string;
  readonly session: SessionId;
  readonly path: string;
  /** Where the agent works, and is started to go on. */
  readonly directory: string;
  /** Where its continuations go, when that is not beside it: the agent does not know of what was imported. */
  readonly folder?: string;
}

/** What going back means for the conversation: plain data, so that it can be shown and sent to another process. */
export interface ConversationMove extends ConversationChange {
  /** What the new session is made of; null where nothing came before, or the session is there already. */
  readonly written: { readonly source: ConversationSource; readonly cut: Cut } | null;
  /** The prompt that is handed back for editing. */
  readonly prompt: string | null;
  /** How many messages and turns go back. */
  readonly messages: number;
  readonly turns: number;
}

/** The place of a checkpoint in its conversation. */
export interface ConversationPlace {
  readonly source: ConversationSource;
  readonly transcript: Transcript;
  readonly cut: Cut | null;
  /** The messages before it. */
  readonly kept: readonly Message[];
  /** Those that are left by going back there: all others of the branch that the conversation is on, whether or not the place is on it. */
  readonly rest: readonly Message[];
}

export const findPlace = (workspace: Workspace, target: Recorded<Checkpoint>): ConversationPlace => {
  const anchor = target.event === undefined ? workspace.index.newestEvent({ upTo: target.sequence, line: lineOf(target) }) : target;
  if (anchor === undefined) throw noConversation(`Checkpoint ${shortId(target.id)} belongs to no conversation`);
  const source = sourceOf(workspace, anchor.session);
  const transcript = readTranscript(source);
  return placeAt(source, transcript, cutAt(transcript, target));
};

/** A place of which the conversation alone tells. */
export const findUnrecorded = (workspace: Workspace, { session, cut, title }: UnrecordedPlace): ConversationPlace => {
  const source = sourceOf(workspace, session);
  const transcript = readTranscript(source);
  const message = cut === null ? null : 'before' in cut ? cut.before : cut.through;
  if (message === null || cut === null) return placeAt(source, transcript, null);
  // A session that goes on from another has copies of its messages, which may have ids of their own.
  const copies = readOutlines(workspace).find((outline) => outline.session === session)?.copies ?? [];
  const here = [message, ...copies.filter(([, there]) => there === message).map(([copy]) => copy)];
  const found = transcript.messages.find(({ id }) => here.includes(id));
  if (found === undefined) throw noConversation(`The conversation of session ${session} does not have ${title}`);
  return placeAt(source, transcript, 'before' in cut ? { before: found.id } : { through: found.id });
};

const placeAt = (source: ConversationSource, transcript: Transcript, cut: Cut | null): ConversationPlace => {
  const kept = keptBy(transcript, cut);
  const ids = new Set(kept.map(({ id }) => id));
  return { source, transcript, cut, kept, rest: transcript.current.filter(({ id }) => !ids.has(id)) };
};

/** The prompt that a place lies before. */
export const promptAt = ({ transcript, cut }: ConversationPlace): string | null =>
  (cut !== null && 'before' in cut ? transcript.messages.find(({ id }) => id === cut.before)?.text : undefined) ?? null;

/** What going back to a checkpoint means for its conversation. Writes nothing. */
export const planMove = (workspace: Workspace, target: Recorded<Checkpoint>): ConversationMove => moveTo(findPlace(workspace, target));

/** What going back to a place means for the conversation. Writes nothing. */
export const moveTo = (place: ConversationPlace): ConversationMove => {
  const { source, cut, kept, rest } = place;
  const isAnew = cut === null || kept.length === 0;
  return {
    agent: source.agent,
    directory: source.directory,
    from: source.session,
    to: isAnew ? null : newSession(),
    written: isAnew ? null : { source, cut },
    turnsBefore: countTurns(kept),
    prompt: promptAt(place),
    messages: rest.length,
    turns: countTurns(rest),
  };
};

export const countTurns = (messages: readonly Message[]): number => turnPrompts(messages).length;

export const newSession = (): SessionId => randomUUID() as SessionId;

/** The way back from a change of the conversation: the session it left is still there. */
export const reverseMove = ({ agent, directory, from, to }: ConversationChange): ConversationMove => ({
  agent,
  directory,
  from: to,
  to: from,
  written: null,
  prompt: null,
  messages: 0,
  turns: 0,
});

/** Writes the new session; what it returns takes that back. The session it is made of is not touched (CNV-1). */
export const applyMove = ({ to, written }: ConversationMove): (() => void) => {
  if (to === null || written === null) return () => {};
  const { source, cut } = written;
  const continuation = writeContinuation(readTranscript(source), { cut, session: to, folder: source.folder });
  return () => {
    if (continuation !== null) effects.unlink(continuation.path);
  };
};

/** The command that goes on with the conversation. */
export const resumeOf = ({ agent, to, directory }: ConversationChange): string => resumeCommand(agent, to, directory);

export const sourceOf = (workspace: Workspace, session: SessionId): ConversationSource => {
  const { index } = workspace;
  const { event, imported } = index.newestConversation(session) ?? {};
  const made = index.newestConversationChange(session)?.conversation;
  // One that nobody recorded, from before Retake, is known by its file.
  const said =
    event === undefined && made === undefined ? readOutlines(workspace).find((outline) => outline.session === session) : undefined;
  const agent = event?.place.agent ?? made?.agent ?? said?.agent;
  const directory = event?.conversation?.directory ?? made?.directory ?? (said && toText(workspace.root));
  if (agent === undefined || directory === undefined)
    throw noConversation(`The agent of session ${session} did not tell where it keeps the conversation`);
  const told = event?.conversation?.transcript;
  const problem = told === undefined ? null : whyNotToldFile(workspace, { agent, session, path: told });
  const path = told !== undefined && problem === null ? told : findTranscript(agent, session, directory)?.path;
  if (path === undefined && problem !== null && told !== undefined && existsSync(told))
    throw noConversation(`${told} is not read: the agent named it for session ${session}, but ${problem}`);
  if (path === undefined) throw noConversation(`The conversation of session ${session} is gone`);
  return { agent, session, path, directory, ...(imported === undefined ? {} : { folder: sessionFolder(agent, directory) }) };
};

export const readTranscript = (source: ConversationSource): Transcript => {
  const transcript = Transcript.open(source);
  transcript.refresh();
  return transcript;
};

/** The place in a conversation that belongs to an agent's event. */
const cutAt = (transcript: Transcript, { kind, event, createdAt }: Recorded<Checkpoint>): Cut | null => {
  const { messages } = transcript;
  const { promptId, toolUseId, agentId } = event?.place ?? {};
  if (kind === 'prompt') {
    const prompt = messages.find((message) => message.kind === 'prompt' && promptId !== undefined && message.promptId === promptId);
    if (prompt !== undefined) return { before: prompt.id };
  }
  if (toolUseId !== undefined && agentId === undefined) {
    const caller = messages.find(({ calls }) => calls.some(({ id }) => id === toolUseId));
    if (caller !== undefined && kind === 'after-step') return { through: caller.id };
    if (caller?.parent != null) return { through: caller.parent };
  }
  return lastBefore(messages, createdAt, agentId !== undefined);
};

/** By the clock, where there is no id to go by. What a subagent does is part of a call that its caller still waits for. */
const lastBefore = (messages: readonly Message[], time: string, isInsideCall: boolean): Cut | null => {
  const before = messages.filter(({ at }) => at !== null && Date.parse(at) <= Date.parse(time));
  const last = isInsideCall ? before.findLast(({ calls }) => calls.length === 0) : before.at(-1);
  return last === undefined ? null : { through: last.id };
};

const keptBy = (transcript: Transcript, cut: Cut | null): readonly Message[] => {
  if (cut === null) return [];
  return 'before' in cut ? transcript.branchTo(cut.before).slice(0, -1) : transcript.branchTo(cut.through);
};

const noConversation = (message: string): RetakeError =>
  new RetakeError('no-conversation', message, { hint: 'The code alone can go back all the same: retake rewind ID' });
