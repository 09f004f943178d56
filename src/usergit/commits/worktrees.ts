import type { ByteString } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import { realPath } from '../paths.ts';
import type { UserRepository } from '../repository.ts';

export interface OtherWorktree {
  readonly path: ByteString;
  /** Its commit; null on a branch without commits. */
  readonly commit: string | null;
  /** A full ref name, or null when its HEAD is detached. */
  readonly branch: ByteString | null;
}

/** The repository's work trees besides this one. */
export const otherWorktrees = async (repository: UserRepository): Promise<OtherWorktree[]> => {
  const { stdout } = await askGit(repository.top, ['worktree', 'list', '--porcelain'], []);
  const [main, ...linked] = stdout
    .toString('latin1')
    .split(/(?:^|\n)worktree /)
    .slice(1);
  const isMain = repository.gitDirectory === repository.commonDirectory;
  return [...(isMain || main === undefined ? [] : [main]), ...linked]
    .filter((text) => !/^bare$/m.test(text))
    .map((text) => ({
      path: text.slice(0, text.indexOf('\n')) as ByteString,
      commit: /^HEAD (?!0+$)(.*)$/m.exec(text)?.[1] ?? null,
      branch: (/^branch (.*)$/m.exec(text)?.[1] ?? null) as ByteString | null,
    }))
    .filter(({ path }) => isMain || realPath(path) !== repository.top);
};
