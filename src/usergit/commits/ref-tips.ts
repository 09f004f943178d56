import type { ByteString } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** What each ref names, by its full name. */
export const refTips = async (repository: UserRepository): Promise<Map<ByteString, string>> => {
  const { stdout } = await askGit(repository.top, ['for-each-ref', '--format=%(objectname) %(refname)'], [128, 129]);
  const lines = stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1) as ByteString, line.slice(0, line.indexOf(' '))]));
};
