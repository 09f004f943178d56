import { type Checkpoint, isCheckpoint, type Recorded, RetakeError } from '../../model/index.ts';
import type { Branch, Outline } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { branchOf, type Conversations, readConversations, resolveBranch } from './branches.ts';
import { type ConversationMove, newSession, sourceOf } from './conversation.ts';
import { agentSession } from './session-named.ts';
import { currentSession } from './turns.ts';

/** Going to another branch: its code as it was last, and its conversation (FRK-6). */
export const resolveSwitch = (workspace: Workspace, address: string): RollbackRequest => {
  const conversations = readConversations(workspace);
  return requestAt(workspace, conversations, resolveBranch(conversations, address));
};

/** The same to a branch of one session's conversation; the one that the session is on unless another is named. */
export const resolveSwitchIn = (workspace: Workspace, session: string, address?: string): RollbackRequest => {
  const id = agentSession(workspace, session);
  const conversations = readConversations(workspace);
  return requestAt(workspace, conversations, branchOf(conversations, id, address) ?? resolveBranch(conversations, id));
};

const requestAt = (workspace: Workspace, conversations: Conversations, branch: Branch): RollbackRequest => {
  if (branch === conversations.current) {
    throw new RetakeError('same-branch', `${JSON.stringify(branch.title)} is the branch that is gone on with already`, {
      hint: 'retake forks lists the others.',
    });
  }
  return {
    verb: 'Switch',
    target: lastOf(workspace, conversations, branch),
    title: branch.title,
    conversation: moveTo(workspace, conversations, branch),
  };
};

/** The record of a branch's code as it was last. */
export const lastOf = (workspace: Workspace, { recorded }: Conversations, { id, title, turns }: Branch): Recorded<Checkpoint> => {
  const tip = recorded?.tip({ turns });
  const operation = tip == null ? undefined : workspace.index.get(tip)?.operation;
  if (operation !== undefined && isCheckpoint(operation)) return operation;
  throw new RetakeError('no-code', `Retake has no record of the code at the end of ${JSON.stringify(title === '' ? id : title)}`, {
    hint: 'Its conversation is still there: retake sessions lists them.',
  });
};

/** A session that is on the branch is gone on with; where all have left it, one is made that ends where the branch does. */
const moveTo = (workspace: Workspace, { tree, outlines }: Conversations, branch: Branch): ConversationMove => {
  const last = branch.turns.at(-1)?.id;
  const holders = outlines
    .filter(({ session }) => branch.sessions.includes(session))
    .map((outline) => ({ ...outline, end: outline.prompts.find(({ id }) => id === last) }))
    // Where one file has less of the last turn than another, it was cut there.
    .toSorted((a, b) => (b.end?.messages ?? 0) - (a.end?.messages ?? 0) || newestFirst(a, b));
  const onIt = holders.filter(({ session }) => tree.current(session) === branch).toSorted(newestFirst)[0]?.session;
  const source = sourceOf(workspace, onIt ?? holders[0]?.session ?? branch.session);
  const from = currentSession(workspace) ?? null;
  const common = { agent: source.agent, directory: source.directory, from, prompt: null, messages: 0, turns: 0 };
  if (onIt !== undefined) return { ...common, to: onIt, written: null };
  return {
    ...common,
    to: newSession(),
    written: { source, cut: { through: (holders[0]?.end ?? branch).last.message } },
    turnsBefore: tree.path(branch).flatMap(({ turns }) => turns).length,
  };
};

const newestFirst = (a: Outline, b: Outline): number => ((b.lastAt ?? '') > (a.lastAt ?? '') ? 1 : -1);
