import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GitContext, RepositoryView, TrackedFiles } from '../../capture/index.ts';
import { type ByteString, type GitHead, join, parent, type RelativePath, ROOT, toFs } from '../../model/index.ts';
import {
  findRepository,
  type GitConfig,
  type IgnoreSettings,
  indexStamp,
  readHead,
  readIgnoreSettings,
  readInfoExclude,
  readPlainText,
  repositoryAt,
  UserIndex,
  type UserRepository,
} from '../../usergit/index.ts';

/** The user's git as it is at the moment of a capture. */
export interface UserGit {
  readonly gitContext: GitContext;
  readonly repository: UserRepository | undefined;
  readonly settings: IgnoreSettings;
  readonly head: GitHead | null;
  /** The user's index as this look found it. */
  readonly index: { readonly stamp: string; read(): UserIndex } | null;
  /** The repositories looked at, by where they begin. */
  readonly views: ReadonlyMap<RelativePath, View | null>;
  readonly found?: FoundRepository;
}

/** What is known from an earlier look, and used where it still holds. */
export interface EarlierGitContext {
  readonly settings: GitConfig;
  readonly views?: ReadonlyMap<RelativePath, View | null>;
  readonly found?: FoundRepository;
}

/** What was found, and the stat data of the directory that it was found by: what comes or goes in there shows in its times. */
interface FoundRepository {
  readonly repository: UserRepository;
  readonly stamp: string;
}

export const readGitContext = async (root: ByteString, before?: EarlierGitContext): Promise<UserGit> => {
  const found = findAgain(root, before?.found);
  const repository = found?.repository ?? findRepository(root);
  const [settings, head] = await Promise.all([
    readIgnoreSettings(root, before?.settings, repository, found !== undefined),
    repository === undefined ? null : readHead(repository),
  ]);
  const views = new Map<RelativePath, View | null>();
  // Not the whole of the earlier look: what is asked later keeps what it names here, and one look would keep all before it.
  const earlier = before?.views;
  const viewAt = (at: RelativePath, found: UserRepository | undefined, prefix: RelativePath, outer: () => View | null): View | null => {
    const view = found === undefined ? null : new View(found, at, prefix, outer(), earlier?.get(at) ?? undefined);
    views.set(at, view);
    return view;
  };
  const nested = (at: RelativePath): View | null => {
    const known = views.get(at);
    return known !== undefined ? known : viewAt(at, repositoryAt(`${root}/${at}` as ByteString), ROOT, () => around(at));
  };
  /** The nearest repository around a directory of the workspace. */
  const around = (at: RelativePath): View | null => {
    for (let up = parent(at); up !== ROOT; up = parent(up)) {
      const view = nested(up);
      if (view !== null) return view;
    }
    return containing;
  };
  // Before the index itself is looked at: should it change in between, the next look finds that.
  const stamp = repository && indexStamp(repository);
  const containing = viewAt(ROOT, repository, root.slice((repository?.top.length ?? 0) + 1) as RelativePath, () =>
    repository === undefined ? null : viewAround(repository, earlier?.get(ROOT)?.outer ?? null),
  );
  const gitContext: GitContext = {
    ignoreCase: settings.ignoreCase,
    globalRules: settings.globalExcludes?.text ?? null,
    containing,
    nested,
  };
  const index = stamp === undefined || containing === null ? null : { stamp, read: () => containing.index };
  return { gitContext, repository, settings, head, index, views, ...given(found ?? (repository && stamped(repository))) };
};

const given = (found: FoundRepository | undefined): { found?: FoundRepository } => (found === undefined ? {} : { found });

/** Only for a repository that begins at the workspace's root and keeps its data right there: all others are looked for anew. */
const findAgain = (root: ByteString, before: FoundRepository | undefined): FoundRepository | undefined => {
  if (before === undefined || before.repository.gitDirectory !== `${root}/.git`) return undefined;
  return before.repository.top === root && before.stamp === stampOfRepository(before.repository) ? before : undefined;
};

/** Undefined while its times are so recent that another change might leave the same. */
const stamped = (repository: UserRepository): FoundRepository | undefined => {
  const stat = statSync(toFs(repository.gitDirectory), { throwIfNoEntry: false });
  if (stat === undefined || Math.max(stat.mtimeMs, stat.ctimeMs) > Date.now() - RECENT) return undefined;
  return { repository, stamp: stampOfRepository(repository) };
};

const stampOfRepository = ({ gitDirectory }: UserRepository): string =>
  `${stampOf(gitDirectory)} ${stampOf(`${gitDirectory}/config` as ByteString)}`;

const RECENT = 2100;

/** The repositories that the one of the workspace lies in: their indexes may hold files of it. */
const viewAround = ({ top }: UserRepository, before: View | null): View | null => {
  const outer = top === '/' ? undefined : findRepository(dirname(top) as ByteString);
  if (outer === undefined) return null;
  return new View(outer, ROOT, ROOT, viewAround(outer, before?.outer ?? null), before ?? undefined);
};

/**
 * A repository as a capture sees it. Its index is read when somebody asks, and kept while it stays the same. What a repository around it tracks
 * counts as tracked too: git keeps files in its index where another repository begins later (CAP-2).
 */
class View implements RepositoryView {
  readonly at: RelativePath;
  readonly prefix: RelativePath;
  readonly rules: RepositoryView['rules'];
  readonly signature: string;
  readonly outer: View | null;
  readonly #stamp: string;
  readonly #tracked: { files?: UserIndex };
  readonly #repository: UserRepository;

  constructor(repository: UserRepository, at: RelativePath, prefix: RelativePath, outer: View | null, before: View | undefined) {
    const exclude = readInfoExclude(repository);
    this.#repository = repository;
    this.at = at;
    this.prefix = prefix;
    this.outer = outer;
    this.rules = [...(exclude === null ? [] : [{ base: ROOT, text: exclude }]), ...rulesAbove(repository.top, prefix)];
    this.#stamp = stampOf(`${repository.gitDirectory}/index` as ByteString);
    this.signature = outer === null ? this.#stamp : `${this.#stamp}, ${outer.signature}`;
    const isSame = before !== undefined && before.#stamp === this.#stamp && before.#repository.gitDirectory === repository.gitDirectory;
    this.#tracked = isSame ? before.#tracked : {};
  }

  get tracked(): TrackedFiles {
    const { index, outer } = this;
    if (outer === null) return index;
    const outerTop = outer.#repository.top;
    const top = this.#repository.top.slice(outerTop === '/' ? 1 : outerTop.length + 1) as RelativePath;
    return {
      has: (path) => index.has(path) || outer.tracked.has(join(top, path)),
      hasUnder: (directory) => index.hasUnder(directory) || outer.tracked.hasUnder(join(top, directory)),
      hasSubmodule: (path) => index.hasSubmodule(path) || outer.tracked.hasSubmodule(join(top, path)),
    };
  }

  get index(): UserIndex {
    this.#tracked.files ??= UserIndex.read(this.#repository);
    return this.#tracked.files;
  }
}

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
