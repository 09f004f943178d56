import { type Durability, readIfExists, replaceFile } from '../../host/index.ts';

/**
 * A list that is kept beside the store and can be done without: what is torn or of another shape counts as empty. Needs the lock
 * for writing.
 */
export const readList = <T>(path: string, isItem: (value: unknown) => boolean): T[] => {
  try {
    const value: unknown = JSON.parse(readIfExists(path)?.toString() ?? '[]');
    return Array.isArray(value) ? value.filter(isItem) : [];
  } catch {
    return [];
  }
};

export const writeList = (path: string, list: readonly unknown[], durability?: Durability): void =>
  replaceFile(path, Buffer.from(JSON.stringify(list)), durability === undefined ? {} : { durability });

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
