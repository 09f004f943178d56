import { BadRequest } from './problem.ts';

export interface Paging {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly next: string | null;
}

/**
 * A page of a list. The cursor names the last item of the page before, so that what is added or removed meanwhile neither repeats nor skips
 * anything else; should that very item be gone, its place is found by number.
 */
export const pageOf = <T>(all: readonly T[], keyOf: (item: T) => string, { limit, cursor }: Paging): Page<T> => {
  const start = cursor === undefined ? 0 : after(all, keyOf, decode(cursor));
  const items = all.slice(start, start + limit);
  const last = items.at(-1);
  const isLast = last === undefined || start + limit >= all.length;
  return { items, total: all.length, next: isLast ? null : encode({ key: keyOf(last), at: start + limit }) };
};

/** One item of the log, by its number. */
interface Numbered {
  readonly operation: { readonly sequence: number };
}

/**
 * A page of the log, newest first, of which no more is read than is asked for. It goes on below the number of the last one, which stays
 * what it is whatever is added or removed.
 */
export const pageFrom = <T extends Numbered>(
  { limit, cursor }: Paging,
  read: (stretch: { before: number | undefined; limit: number }) => { readonly entries: readonly T[]; readonly total: number },
): Page<T> => {
  const { entries, total } = read({ before: cursor === undefined ? undefined : decode(cursor).at, limit: limit + 1 });
  const items = entries.slice(0, limit);
  const last = items.at(-1);
  const isLast = last === undefined || entries.length <= limit;
  return { items, total, next: isLast ? null : encode({ key: '', at: last.operation.sequence }) };
};

interface Cursor {
  readonly key: string;
  readonly at: number;
}

const after = <T>(all: readonly T[], keyOf: (item: T) => string, { key, at }: Cursor): number => {
  const found = all.findIndex((item) => keyOf(item) === key);
  return found < 0 ? Math.min(at, all.length) : found + 1;
};

const encode = (cursor: Cursor): string => Buffer.from(JSON.stringify([cursor.at, cursor.key])).toString('base64url');

const decode = (text: string): Cursor => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(value) && Number.isSafeInteger(value[0]) && value[0] >= 0 && typeof value[1] === 'string') {
      return { at: value[0], key: value[1] };
    }
  } catch {
    // Told below.
  }
  throw new BadRequest('bad-request', 'The cursor is none of ours', { hint: 'Take `next` of the page before as it is.' });
};
