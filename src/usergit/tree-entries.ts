import { type RelativePath, RetakeError } from '../model/index.ts';
import { askGit } from './ask.ts';
import type { UserRepository } from './repository.ts';
import type { StagedEntry } from './staging.ts';

const LINE = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s;

/** What the index holds when it is exactly a tree. */
export const stagingOfTree = async (repository: UserRepository, tree: string): Promise<StagedEntry[]> => {
  const { stdout } = await askGit(repository.top, ['--no-replace-objects', 'ls-tree', '-r', '-z', '--full-tree', tree], []);
  const entries = stdout.toString('latin1').split('\0').slice(0, -1);
  return entries.map((line): StagedEntry => {
    const [, mode, id, path] = LINE.exec(line) ?? [];
    if (mode === undefined || id === undefined || path === undefined)
      throw new RetakeError('git-failed', `git ls-tree said ${JSON.stringify(line)}`);
    return {
      path: path as RelativePath,
      mode: Number.parseInt(mode, 8),
      id,
      stage: 0,
      intentToAdd: false,
      skipWorktree: false,
      assumeUnchanged: false,
    };
  });
};
