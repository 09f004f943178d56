import { readdirSync } from 'node:fs';
import { type ByteString, compareBytes, toFs } from '../../model/index.ts';
import { below, realPath, resolve, statIfAny } from '../paths.ts';
import { readPlainFile, readPlainText } from '../plain-file.ts';
import type { UserRepository } from '../repository.ts';

/** The directories git looks for the repository's objects in: its own, then those it borrows from. */
export const objectDirectories = (repository: UserRepository): ByteString[] => {
  const own = realPath(below(repository.commonDirectory, 'objects'));
  if (own === undefined) return [];
  // A set keeps its order and takes in what is added while it is walked; what is in it already ends a circle.
  const found = new Set([own]);
  for (const directory of found) {
    for (const alternate of alternatesOf(directory)) found.add(alternate);
  }
  return [...found];
};

/** Packs by their paths without extension, that have an index of version 2. */
export const packsOf = (repository: UserRepository): ByteString[] => objectDirectories(repository).flatMap(packsIn);

/** Whether every object of the repository is in one of `packsOf`, so that none has to be looked for one by one. */
export const isWhollyPacked = (repository: UserRepository): boolean =>
  objectDirectories(repository).every((directory) => {
    const packs = listIfAny(below(directory, 'pack')).filter((name) => name.endsWith('.pack'));
    const hasLoose = listIfAny(directory).some((name) => /^[0-9a-f]{2}$/.test(name) && listIfAny(below(directory, name)).length > 0);
    return !hasLoose && packs.length === packsIn(directory).length;
  });

/** Where an object would lie in one of the object directories if it is not in a pack. */
export const looseObjectPath = (objectDirectory: ByteString, id: string): ByteString =>
  below(objectDirectory, `${id.slice(0, 2)}/${id.slice(2)}`);

const alternatesOf = (directory: ByteString): ByteString[] => {
  const lines = readPlainText(below(directory, 'info/alternates'), { follow: true })?.split('\n') ?? [];
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => realPath(resolve(directory, unquote(line))))
    .filter((path) => path !== undefined && statIfAny(path)?.isDirectory() === true) as ByteString[];
};

const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A path in quotes is written as in C. */
const unquote = (line: string): string =>
  /^"(?:[^"\\]|\\.)*"$/.test(line)
    ? line
        .slice(1, -1)
        .replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
          code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
        )
    : line;

const packsIn = (objectDirectory: ByteString): ByteString[] => {
  const directory = below(objectDirectory, 'pack');
  const names = new Set(listIfAny(directory));
  return [...names]
    .filter((name) => name.endsWith('.pack') && names.has(name.replace(/pack$/, 'idx')))
    .sort(compareBytes)
    .map((name) => below(directory, name.slice(0, -'.pack'.length)))
    .filter((pack) => statIfAny(`${pack}.pack` as ByteString)?.isFile() && hasSecondVersion(`${pack}.idx` as ByteString));
};

const hasSecondVersion = (index: ByteString): boolean => {
  const file = readPlainFile(index, { follow: true, limit: 8 });
  return typeof file !== 'string' && file.bytes.toString('hex') === 'ff744f6300000002';
};

const listIfAny = (directory: ByteString): string[] => {
  try {
    return readdirSync(toFs(directory), { encoding: 'latin1' });
  } catch {
    return [];
  }
};
