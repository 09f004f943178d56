import { type ByteString, toText } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** What a trailer of each of these commits says, where there is one; the last if it is given twice. All must be there. */
export const commitTrailers = async (repository: UserRepository, commits: readonly string[], key: string): Promise<Map<string, string>> => {
  if (commits.length === 0) return new Map();
  const options = ['--no-walk=unsorted', '--stdin', '--no-patch', '--no-show-signature', '--no-color', '--encoding=UTF-8', '-z'];
  const { stdout } = await askGit(
    repository.top,
    ['log', ...options, `--format=%H%n%(trailers:key=${key},valueonly)`],
    [128, 129],
    Buffer.from(`${commits.join('\n')}\n`, 'latin1'),
  );
  const found = new Map<string, string>();
  for (const record of stdout.toString('latin1').split('\0')) {
    const at = record.indexOf('\n');
    const value =
      record
        .slice(at + 1)
        .trim()
        .split('\n')
        .at(-1) ?? '';
    if (at > 0 && value !== '') found.set(record.slice(0, at), toText(value as ByteString));
  }
  return found;
};
