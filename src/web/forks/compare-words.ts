import type { Comparison } from '../client/types.ts';

/** How far two branches are from each other, up to each of these. */
const DIVERGENCES: readonly (readonly [most: number, words: string])[] = [
  [0, 'the same'],
  [0.1, 'nearly the same'],
  [0.35, 'mostly alike'],
  [0.65, 'about half in common'],
  [0.9, 'mostly different'],
  [0.999, 'hardly anything in common'],
];

export const divergenceWords = (divergence: number, { a, b }: Pick<Comparison['lines'], 'a' | 'b'>): string => {
  if ((a === 0) !== (b === 0)) return `only the ${a === 0 ? 'right' : 'left'} changed the code since`;
  return DIVERGENCES.find(([most]) => divergence <= most)?.[1] ?? 'nothing in common';
};

/** Why two sides can not be made one without a choice. */
const CONFLICTS: Readonly<Record<string, string>> = {
  'both-changed': 'both changed the same lines',
  'both-added': 'both made a file of this name',
  'changed-and-deleted': 'one changed it, the other deleted it',
  type: 'a file on one side, a link on the other',
  binary: 'both changed it, and it is not text',
  permissions: 'both changed its permissions',
  'directory-in-the-way': 'a directory on one side, a file on the other',
};

export const conflictWords = (reason: string): string => (Object.hasOwn(CONFLICTS, reason) ? (CONFLICTS[reason] ?? reason) : reason);

type ChangedFile = Comparison['a']['files'][number];

export const STATUS_WORDS: Readonly<Record<ChangedFile['status'], string>> = {
  added: 'added',
  modified: 'changed',
  deleted: 'deleted',
  mode: 'permissions',
  type: 'another type',
};

/** Names a file among others, whatever its bytes. */
export const fileKey = ({ path, pathBase64 }: { readonly path: string; readonly pathBase64?: string | undefined }): string =>
  pathBase64 ?? path;
