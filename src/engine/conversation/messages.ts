import type { Message, SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type AddressOptions, resolveCheckpoint } from '../read/resolve.ts';
import { type ConversationPlace, findPlace } from './conversation.ts';

export interface MessageContext {
  readonly session: SessionId;
  readonly before: readonly Message[];
  readonly after: readonly Message[];
}

/** What was said around a checkpoint (CNV-5). */
export const messagesAround = (
  workspace: Workspace,
  address: string,
  { before = 30, after = 0, ...where }: AddressOptions & { readonly before?: number; readonly after?: number } = {},
): MessageContext => {
  const place = findPlace(workspace, resolveCheckpoint(workspace, address, where).operation);
  return {
    session: place.source.session,
    before: before === 0 ? [] : place.kept.slice(-before),
    after: after === 0 ? [] : saidAfter(place).slice(0, after),
  };
};

/**
 * What was said next, on a way that leads through the place: the current one where it does, else the one that was written to last. What was
 * said on another branch does not follow.
 */
const saidAfter = ({ transcript, cut, kept }: ConversationPlace): readonly Message[] => {
  const { messages, current } = transcript;
  if (cut === null) return current;
  const through = 'before' in cut ? cut.before : cut.through;
  if (current.some(({ id }) => id === through)) return current.slice(kept.length);
  const below = new Set([through]);
  let last = through;
  for (const { id, parent, agentId } of messages) {
    if (parent === null || agentId !== null || !below.has(parent)) continue;
    below.add(id);
    last = id;
  }
  return transcript.branchTo(last).slice(kept.length);
};
