import { RetakeError } from '../../model/index.ts';
import { actAsUser } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** Refuses where git has no name and address for a commit of the user, and can not make them up either. */
export const assertIdentity = async ({ top }: UserRepository): Promise<void> => {
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    if ((await actAsUser(top, ['var', who], { accept: [1, 128] })).code !== 0) throw noIdentity();
};

export const noIdentity = (): RetakeError =>
  new RetakeError('commit-refused', 'git knows no name and address for commits here', {
    hint: 'git config user.name NAME and git config user.email ADDRESS tell it.',
  });
