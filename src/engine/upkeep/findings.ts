import type { ObjectId, OperationId } from '../../model/index.ts';

/** What can be wrong with a store, each with what `repair` does about it. */
export const REMEDIES = {
  object: 'looked for in other copies, in your files as they are now and in your git',
  operation: 'looked for in other copies; what can not be found stays lost',
  copy: 'moved aside: nothing needs it, or another copy is intact',
  pack: 'all that still reads in it goes into a new pack; it is moved aside',
  'pack-index': 'made anew from its pack',
  'pack-extra': 'moved aside: git makes it again when it needs it',
  ref: 'made again from the operations in the store',
  last: 'pointed at the newest operation',
  config: 'written anew',
  ledger: 'cut after its last whole entry',
  lock: 'moved aside',
  index: 'made anew from the log',
  held: 'mended from your git, as far as it has what is missing',
  beside: 'moved aside: it can be done without',
} as const;

export interface Finding {
  readonly kind: keyof typeof REMEDIES;
  /** The object that is missing or damaged, or the file, from the data directory on. */
  readonly object?: ObjectId;
  readonly file?: string;
  readonly problem: string;
  /** The operations that need it. */
  readonly operations: readonly OperationId[];
}

/** Something that is no damage: it needs nobody, or the next command completes it. */
export interface Remark {
  readonly file: string;
  readonly remark: string;
}
