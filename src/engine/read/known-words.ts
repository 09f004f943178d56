import type { Entry } from '../../index/index.ts';
import { isCheckpoint, LOCAL_SESSION, type SessionId, shortId } from '../../model/index.ts';
import { isStep } from '../../timeline/index.ts';
import { readConversations } from '../conversation/branches.ts';
import { turnsOfSession } from '../conversation/turn-list.ts';
import { currentSession } from '../conversation/turns.ts';
import type { Workspace } from '../core/workspace.ts';

/** Something that can be named on a command line. */
export interface KnownWord {
  readonly word: string;
  readonly meaning: string;
}

/** What a word is to name. */
export type WordKind = 'checkpoint' | 'rollback' | 'step' | 'actor' | 'changer' | 'session' | 'branch';

export interface WordsRequest {
  /** Whose turns are meant; without it, those of the session that is gone on with. */
  readonly session?: SessionId | undefined;
  /** What the word begins with: ids are many, and told only where one of them may be meant. */
  readonly beginning: string;
}

/** So many of the newest are looked at. */
const RECENT = 500;

/** What there is to name here, the likeliest first. Only looks, and asks no more than it must: somebody is writing a line. */
export const knownWords = (workspace: Workspace, kind: WordKind, request: WordsRequest): KnownWord[] => {
  if (kind === 'branch') return branches(workspace);
  if (!workspace.isProtected) return [];
  return WORDS[kind](workspace, request);
};

const WORDS: Readonly<Record<Exclude<WordKind, 'branch'>, (workspace: Workspace, request: WordsRequest) => KnownWord[]>> = {
  checkpoint: (workspace, request) => [
    ...workspace.index.names(RECENT),
    ...turns(workspace, request),
    ...newest(workspace),
    ...ids(workspace, request, ({ operation }) => isCheckpoint(operation)),
  ],
  rollback: ({ index }) => index.rollbacks().slice(0, RECENT).map(idWord),
  step: (workspace, request) => [
    ...turns(workspace, request),
    ...workspace.index.rollbacks().slice(0, RECENT).map(idWord),
    ...ids(workspace, request, isOfStep),
  ],
  actor: (workspace, request) => [...turns(workspace, request), ...agents(workspace, request), ...ids(workspace, request, isOfStep)],
  changer: (workspace, request) => [
    { word: 'person', meaning: 'what you changed yourself' },
    { word: 'agent', meaning: 'what agents changed, each by itself' },
    { word: 'turn', meaning: 'turn by turn' },
    ...turns(workspace, request).map(({ word, meaning }) => ({ word: `turn=${word.slice(1)}`, meaning })),
    ...agents(workspace, request).map(({ word, meaning }) => ({ word: `agent=${word}`, meaning })),
  ],
  session: ({ index }) => [
    ...index.sessions().map(({ id, title }) => ({ word: id, meaning: title ?? '' })),
    { word: LOCAL_SESSION, meaning: 'what belongs to no agent' },
  ],
};

const idWord = ({ operation: { id, kind, description } }: Entry): KnownWord => ({ word: shortId(id), meaning: `${kind}: ${description}` });

const isOfStep = ({ operation }: Entry): boolean => isCheckpoint(operation) && isStep(operation);

const ids = ({ index }: Workspace, { beginning }: WordsRequest, isMeant: (entry: Entry) => boolean): KnownWord[] => {
  if (!/^[0-9a-f]+$/.test(beginning)) return [];
  // Written out further than we would show it, it is told in full.
  const word = ({ operation: { id } }: Entry): string => (beginning.length > shortId(id).length ? id : shortId(id));
  return index
    .list({ limit: RECENT })
    .filter(isMeant)
    .map((entry) => ({ ...idWord(entry), word: word(entry) }));
};

/** The few that are named by how long ago they were made. */
const newest = ({ index }: Workspace): KnownWord[] =>
  index.newestCheckpoints(3).map(({ operation: { description } }, at) => ({ word: `@-${at + 1}`, meaning: description }));

const turns = (workspace: Workspace, { session = currentSession(workspace) }: WordsRequest): KnownWord[] =>
  session === undefined
    ? []
    : turnsOfSession(workspace, session, readConversations(workspace)).map(({ number, title }) => ({
        word: `t${number}`,
        meaning: `before: ${title}`,
      }));

const agents = (workspace: Workspace, { session = currentSession(workspace) }: WordsRequest): KnownWord[] =>
  session === undefined ? [] : workspace.index.actorsOf(session).agents.map((word) => ({ word, meaning: 'what this agent did' }));

const branches = (workspace: Workspace): KnownWord[] => {
  const { branches: all, current } = readConversations(workspace);
  const shown = all.map(({ id, title }) => ({ word: id, meaning: title }));
  return current === undefined ? shown : [{ word: '@', meaning: current.title }, ...shown];
};
