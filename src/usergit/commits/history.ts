import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

export interface HistoryCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** What its message says after `Checkpoint:`, wherever: commits that were made one have several. */
  readonly checkpoints: readonly string[];
}

/** The last commits that lead to one, newest first, along first parents. */
export const historyOf = async ({ top }: UserRepository, commit: string, most: number): Promise<HistoryCommit[]> => {
  const options = ['--first-parent', '--no-patch', '--no-show-signature', '--no-color', '--encoding=UTF-8', '-z', `--max-count=${most}`];
  const { stdout } = await askGit(top, ['log', ...options, '--format=%H %P%n%B', commit], []);
  return stdout
    .toString('latin1')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [ids = '', ...lines] = record.split('\n');
      const [id = '', ...parents] = ids.trim().split(' ');
      return { id, parents, checkpoints: lines.flatMap((line) => /^Checkpoint: ([0-9a-f]+)$/.exec(line)?.[1] ?? []) };
    });
};
