import { join } from 'node:path';
import { exists, git } from '../../host/index.ts';
import { fetchesWhatIsMissing, findRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';

export const pinnedPath = ({ data }: Workspace): string => join(data, 'held.git');

/** What git says of the objects that we hold for the user's repository, if it is not fine. */
export const checkPinned = async (workspace: Workspace): Promise<string[]> => {
  const directory = pinnedPath(workspace);
  if (!exists(directory)) return [];
  const args = ['--git-dir', directory, 'fsck', '--full', '--no-dangling', '--no-progress'];
  const { code, stdout, stderr } = await git(args, { manners: 'neutral', accept: CODES });
  if (code === 0) return [];
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/^(notice|dangling|hint)/.test(line));
  const repository = findRepository(workspace.root);
  // A partial clone lacks objects on purpose, and so do we then.
  const isPartial = repository !== undefined && (await fetchesWhatIsMissing(repository));
  return isPartial ? said.filter((line) => !/^(missing|broken link)|^ +to/.test(line)) : said;
};

/** fsck adds up what it found; what kills it is one of the last. */
const CODES = [...Array.from({ length: 63 }, (_, code) => code + 1), 128];
