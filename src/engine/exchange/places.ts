import { isCheckpoint, isRollback, type Operation } from '../../model/index.ts';

/** Where an agent works and keeps its conversation: paths that are others on another machine. */
export interface Places {
  /** Of a directory that an agent works in. */
  readonly directory: (directory: string) => string;
  /** Of the file that an operation's session is kept in; undefined when there is none. */
  readonly transcript: (operation: Operation) => string | undefined;
}

/** The operation with its paths as they are elsewhere. */
export const withPlaces = (operation: Operation, places: Places): Operation => {
  if (isCheckpoint(operation) && operation.event?.conversation !== undefined) {
    const { conversation, ...event } = operation.event;
    const transcript = places.transcript(operation);
    const told = transcript === undefined ? {} : { conversation: { transcript, directory: places.directory(conversation.directory) } };
    return { ...operation, event: { ...event, ...told } };
  }
  const conversation = isRollback(operation) || operation.kind === 'fork' ? operation.conversation : undefined;
  if (conversation === undefined) return operation;
  return { ...operation, conversation: { ...conversation, directory: places.directory(conversation.directory) } } as Operation;
};
