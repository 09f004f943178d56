import type { Message } from '../model/index.ts';

/**
 * Words typed while the agent worked begin no turn: the file tells. The turn's id does not, although such words have that of the
 * prompt worked on: an agent that copies a session may give all its prompts the same.
 */
export const beginsTurn = ({ kind, isAdded }: Message): boolean => kind === 'prompt' && !isAdded;

export const turnPrompts = (messages: readonly Message[]): Message[] => messages.filter(beginsTurn);
