import type { ConflictReason, MergeChoice } from '../engine/index.ts';

/** Why two sides can not be made one without a choice, for people. */
export const CONFLICTS: Readonly<Record<ConflictReason, string>> = {
  'both-changed': 'both changed the same lines',
  'both-added': 'both made a file of this name',
  'changed-and-deleted': 'one changed it, the other deleted it',
  type: 'a file on one side, a link on the other',
  binary: 'both changed it, and it is not text',
  permissions: 'both changed its permissions',
  'directory-in-the-way': 'a directory on one side, a file on the other',
};

export const CHOICES: Readonly<Record<MergeChoice, string>> = {
  ours: 'the present stays',
  theirs: 'the other one is taken',
  manual: 'to be finished by hand',
  skip: 'left alone',
};
