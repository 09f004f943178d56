import type { Message, SessionId } from '../../model/index.ts';
import { type AddressOptions, resolveCheckpoint } from '../resolve.ts';
import type { Workspace } from '../workspace.ts';
import { findPlace } from './conversation.ts';

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
  const { source, kept, rest } = findPlace(workspace, resolveCheckpoint(workspace, address, where).operation);
  return { session: source.session, before: before === 0 ? [] : kept.slice(-before), after: rest.slice(0, after) };
};
