import { RetakeError } from '../../model/index.ts';
import { below, statIfAny } from '../paths.ts';
import type { UserRepository } from '../repository.ts';

/** Files of the repository itself that git opens whatever they are: a FIFO there would make it wait for ever. */
const OPENED = ['info/exclude', 'info/attributes'];

export const hasPlainInfo = ({ commonDirectory }: UserRepository): boolean =>
  OPENED.every((name) => statIfAny(below(commonDirectory, name))?.isFile() ?? true);

export const requirePlainInfo = (repository: UserRepository): void => {
  if (hasPlainInfo(repository)) return;
  throw new RetakeError('git-failed', `git would hang: one of ${OPENED.join(' and ')} in the repository is no file`);
};
