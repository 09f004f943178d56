/** Branded strings: an id of one kind can't be passed where another is wanted. */
type Brand<Name extends string> = string & { readonly __brand: Name };

/** Forty hexadecimal digits naming any object of the store. */
export type ObjectId = Brand<'ObjectId'>;
export type TreeId = ObjectId & { readonly __object: 'tree' };
export type BlobId = ObjectId & { readonly __object: 'blob' };
/** An operation is named by the commit that holds it, so plain git accepts the id too. */
export type OperationId = ObjectId & { readonly __object: 'operation' };
export type SessionId = Brand<'SessionId'>;
/** A message of a conversation, by the agent's own id: the same in every file that holds a copy of it. */
export type MessageId = Brand<'MessageId'>;

const OBJECT_ID = /^[0-9a-f]{40}$/;

export const isObjectId = (text: string): text is ObjectId => OBJECT_ID.test(text);

/** The session of checkpoints that no agent's conversation belongs to. */
export const LOCAL_SESSION = 'local' as SessionId;

/** How many characters of an id people are shown, where that is enough. */
const SHOWN = 10;

export const shortId = (id: ObjectId): string => id.slice(0, SHOWN);

/** How many of them it takes to tell one id from others. */
export const digitsToTellApart = (id: ObjectId, others: readonly ObjectId[]): number => {
  let digits = SHOWN;
  for (const other of others) while (other !== id && digits < id.length && other.startsWith(id.slice(0, digits))) digits++;
  return digits;
};
