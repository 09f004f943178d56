import { type ByteString, compareBytes, type RelativePath, toBytes } from '../../model/index.ts';
import { actAsUser, askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';
import { UserIndex } from './index-file.ts';
import type { StagedEntry } from './staging.ts';
import { type GitEntries, type GitEntry, parseEntries } from './tree-entries.ts';
import { writeIndex } from './write-index.ts';

export interface IndexedEntry extends GitEntry {
  /** There is no content yet, which plain entries can't say. */
  readonly intentToAdd?: boolean;
}

/** What the index has at a path, with what a listing does not tell. */
export const indexedEntry = (repository: UserRepository, entries: GitEntries): ((path: RelativePath) => IndexedEntry | undefined) => {
  const index = UserIndex.read(repository);
  return (path) => {
    const entry = entries.get(path);
    return entry && (index.entry(path)?.intentToAdd ? { ...entry, intentToAdd: true } : entry);
  };
};

/** What the index has at each path that is not in conflict. */
export const indexEntries = async ({ top }: UserRepository): Promise<GitEntries> =>
  parseEntries((await askGit(top, ['ls-files', '--stage', '--full-name', '-z'], [])).stdout, /^(\d{6}) ([0-9a-f]+) 0\t(.*)$/s);

/** Tracked files that the user does not want in the work tree (sparse checkout). */
export const skippedPaths = async ({ top }: UserRepository): Promise<ReadonlySet<RelativePath>> => {
  const { stdout } = await askGit(top, ['ls-files', '-t', '--full-name', '-z'], []);
  const lines = stdout.toString('latin1').split('\0');
  return new Set(lines.filter((line) => line.startsWith('S ')).map((line) => line.slice(2) as RelativePath));
};

/** Sets what the index has at some paths, by git's own lock; undefined takes a path out. All others stay as they are. */
export const setIndexEntries = async (
  repository: UserRepository,
  entries: ReadonlyMap<RelativePath, IndexedEntry | undefined>,
): Promise<void> => {
  const { top, objectFormat } = repository;
  if (entries.size === 0) return;
  const nothing = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
  const lines = [...entries]
    .sort(([a], [b]) => compareBytes(a, b))
    // What goes makes room first: a file may take the place of a directory.
    .sort(([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined))
    .map(([path, entry]) => toBytes(`${entry?.mode ?? '0'} ${entry?.id ?? nothing}\t${path}\0` as ByteString));
  await askGit(top, ['update-index', '-z', '--index-info'], [], Buffer.concat(lines));
  if ([...entries.values()].some((entry) => entry?.intentToAdd)) {
    const isIntent = ({ path, intentToAdd }: StagedEntry): boolean => intentToAdd || entries.get(path)?.intentToAdd === true;
    writeIndex(
      repository,
      UserIndex.read(repository)
        .entries()
        .map((entry) => ({ ...entry, intentToAdd: isIntent(entry) })),
    );
  }
};

/** Lets git see which files are as the index says, so that nothing looks changed that is not. */
export const refreshIndex = async ({ top }: UserRepository): Promise<void> => {
  await actAsUser(top, ['update-index', '-q', '--refresh'], { accept: [1, 128] });
};
