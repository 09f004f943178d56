import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';
import { fetchesWhatIsMissing } from './partial-clone.ts';

/**
 * The type of each of these objects that is in the user's repository. Undefined for a partial clone, where asking for a missing
 * one would make git fetch it.
 */
export const objectTypes = async (repository: UserRepository, ids: Iterable<string>): Promise<Map<string, string> | undefined> => {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Map();
  if (await fetchesWhatIsMissing(repository)) return undefined;
  const { stdout } = await askGit(
    repository.top,
    ['--no-replace-objects', 'cat-file', '--buffer', '--batch-check=%(objecttype)'],
    [128],
    Buffer.from(`${asked.join('\n')}\n`, 'latin1'),
  );
  const answers = stdout.toString('latin1').split('\n');
  return new Map(asked.flatMap((id, at) => (/^(?:commit|tag|tree|blob)$/.test(answers[at] ?? '') ? [[id, answers[at] as string]] : [])));
};
