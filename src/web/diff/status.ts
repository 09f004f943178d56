import type { DiffFile } from '../client/types.ts';
import type { Tone } from '../parts/badge.tsx';

/** What happened to a file: a letter where there is little room, a word elsewhere. */
export const STATUS: Readonly<Record<DiffFile['status'], { readonly letter: string; readonly word: string; readonly tone: Tone }>> = {
  added: { letter: 'A', word: 'added', tone: 'good' },
  modified: { letter: 'M', word: 'modified', tone: 'info' },
  deleted: { letter: 'D', word: 'deleted', tone: 'bad' },
  mode: { letter: 'P', word: 'permissions', tone: 'warn' },
  type: { letter: 'T', word: 'type', tone: 'warn' },
};
