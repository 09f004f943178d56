import type { Order, RewindOrder } from './order.ts';
import type { Place } from './places.ts';

export type ChoiceId = 'both' | 'conversation' | 'code' | 'fork' | 'from' | 'upto' | 'files' | 'cancel';

/** What can be done with a place. */
export interface Choice {
  readonly id: ChoiceId;
  readonly title: string;
  /** Why it is not possible; null where it is. */
  readonly reason: string | null;
}

/** What the conversation has before and after a place. */
export interface Weighed {
  readonly code: { readonly reason: string | null };
  /** `before`: prompts that stay; `after`: messages that would go. */
  readonly conversation: { readonly reason: string | null; readonly before: number; readonly after: number };
}

/** Why code that is not recorded can not go back. */
export const NO_RECORD = 'Retake has no record of the code there';

export const choicesAt = ({ code, conversation }: Weighed): Choice[] => {
  const nothingBefore = conversation.before === 0 ? 'nothing was said before it' : null;
  const nothingAfter = conversation.after === 0 ? 'nothing was said after it' : null;
  return [
    { id: 'both', title: 'Code and conversation', reason: code.reason ?? conversation.reason },
    { id: 'conversation', title: 'Conversation', reason: conversation.reason },
    { id: 'code', title: 'Code', reason: code.reason },
    { id: 'fork', title: 'Fork from here', reason: conversation.reason ?? nothingBefore },
    { id: 'from', title: 'Summarize from here', reason: conversation.reason ?? nothingAfter },
    { id: 'upto', title: 'Summarize up to here', reason: conversation.reason ?? nothingBefore },
    { id: 'files', title: 'Only these files …', reason: code.reason },
    { id: 'cancel', title: 'Cancel', reason: null },
  ];
};

/** What a choice means, as it is planned before it is taken; null where there is nothing to plan. */
export const orderFor = (
  { address }: Pick<Place, 'address'>,
  choice: ChoiceId,
  { keepMine, onConflict }: Pick<RewindOrder, 'keepMine' | 'onConflict'>,
): Order | null => {
  if (choice === 'cancel') return null;
  switch (choice) {
    case 'fork':
      return { do: 'talk', ...address, summary: null };
    case 'from':
    case 'upto':
      return { do: 'talk', ...address, summary: choice };
    case 'conversation':
      return { do: 'rewind', ...address, scope: choice, keepMine: false, onConflict: null, only: null };
    case 'both':
      return { do: 'rewind', ...address, scope: choice, keepMine, onConflict, only: null };
    case 'code':
    case 'files':
      return { do: 'rewind', ...address, scope: 'code', keepMine, onConflict, only: null };
  }
};
