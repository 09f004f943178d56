import { statSync } from 'node:fs';
import type { RepositoryView, Surroundings, TrackedFiles } from '../capture/index.ts';
import { type ByteString, type GitHead, join, type RelativePath, ROOT, toFs } from '../model/index.ts';
import {
  findRepository,
  type IgnoreSettings,
  readHead,
  readIgnoreSettings,
  readInfoExclude,
  readPlainText,
  repositoryAt,
  UserIndex,
  type UserRepository,
} from '../usergit/index.ts';

/** The user's git as it is at the moment of a capture. */
export interface UserGit {
  readonly surroundings: Surroundings;
  readonly repository: UserRepository | undefined;
  readonly settings: IgnoreSettings;
  readonly head: GitHead | null;
  /** Looked at anew, as far as that needs no git process. */
  again(): UserGit;
}

export const lookAround = async (root: ByteString): Promise<UserGit> => {
  const repository = findRepository(root);
  const [settings, head] = await Promise.all([readIgnoreSettings(root), repository === undefined ? null : readHead(repository)]);
  return describe(root, repository, settings, head);
};

const describe = (root: ByteString, repository: UserRepository | undefined, settings: IgnoreSettings, head: GitHead | null): UserGit => {
  const views = new Map<RelativePath, RepositoryView | null>();
  const nested = (directory: RelativePath): RepositoryView | null => {
    const found = repositoryAt(`${root}/${directory}` as ByteString);
    return found === undefined ? null : view(found, directory, ROOT);
  };
  const surroundings: Surroundings = {
    ignoreCase: settings.ignoreCase,
    globalRules: settings.globalExcludes?.text ?? null,
    containing: repository === undefined ? null : view(repository, ROOT, root.slice(repository.top.length + 1) as RelativePath),
    nested(directory) {
      const known = views.get(directory) ?? nested(directory);
      views.set(directory, known);
      return known;
    },
  };
  return { surroundings, repository, settings, head, again: () => describe(root, repository, settings, head) };
};

const view = (repository: UserRepository, at: RelativePath, prefix: RelativePath): RepositoryView => {
  let tracked: TrackedFiles | undefined;
  const exclude = readInfoExclude(repository);
  return {
    at,
    prefix,
    rules: [...(exclude === null ? [] : [{ base: ROOT, text: exclude }]), ...rulesAbove(repository.top, prefix)],
    get tracked() {
      tracked ??= UserIndex.read(repository);
      return tracked;
    },
    signature: stampOf(`${repository.gitDirectory}/index` as ByteString),
  };
};

/** The `.gitignore` files from the repository's top down to just above the workspace. */
const rulesAbove = (top: ByteString, prefix: RelativePath): { base: RelativePath; text: ByteString }[] => {
  const names = prefix === '' ? [] : prefix.split('/');
  const bases = names.map((_, depth) => names.slice(0, depth).join('/') as RelativePath);
  return bases.flatMap((base) => {
    const text = readPlainText(`${top}/${join(base, '.gitignore')}` as ByteString, { follow: false });
    return text === null ? [] : [{ base, text }];
  });
};

const stampOf = (path: ByteString): string => {
  const stat = statSync(toFs(path), { throwIfNoEntry: false });
  return stat === undefined ? 'none' : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino].join(' ');
};
