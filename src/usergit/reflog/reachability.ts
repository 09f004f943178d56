import type { ByteString } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/**
 * Those of these commits that nothing leads to any more, in the sense in which reflogs expire: for HEAD from no ref, for a ref
 * from its own tip. All must be there. Undefined where the history is too damaged to tell.
 */
export const unreachableCommits = async (
  repository: UserRepository,
  ref: ByteString,
  commits: readonly string[],
): Promise<Set<string> | undefined> => {
  if (commits.length === 0) return new Set();
  const from = ref === 'HEAD' ? ['--glob=refs/*'] : [ref];
  const beyond = await listCommits(repository, ['--stdin', '--not', ...from], commits);
  if (beyond !== undefined) return new Set(commits.filter((id) => beyond.has(id)));
  // Some of them may have lost their ancestors, and what leads from the tip is whole.
  const within = await listCommits(repository, from, []);
  return within && new Set(commits.filter((id) => !within.has(id)));
};

const listCommits = async (
  repository: UserRepository,
  args: readonly string[],
  input: readonly string[],
): Promise<Set<string> | undefined> => {
  const text = Buffer.from(args.includes('--stdin') ? `${input.join('\n')}\n` : '', 'latin1');
  const { code, stdout } = await askGit(repository.top, ['rev-list', ...args], [128, 129], text);
  return code === 0 ? new Set(stdout.toString('latin1').split('\n')) : undefined;
};

/** Whether everything that these commits need is there, as far as no ref leads to it. */
export const areWhole = async (repository: UserRepository, commits: readonly string[]): Promise<boolean> => {
  const text = Buffer.from(`${commits.join('\n')}\n`, 'latin1');
  const { code } = await askGit(repository.top, ['rev-list', '--objects', '--quiet', '--stdin', '--not', '--all'], [128, 129], text);
  return code === 0;
};
