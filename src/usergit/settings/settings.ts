import type { ByteString } from '../../model/index.ts';
import { below } from '../paths.ts';
import { readPlainText } from '../plain-file.ts';
import { findRepository, type UserRepository } from '../repository.ts';
import { type GitConfig, readGitConfig } from './git-config.ts';

/** What the user's configuration means for a capture. */
export interface IgnoreSettings extends GitConfig {
  readonly globalExcludes: { readonly path: ByteString; readonly text: ByteString } | null;
}

/** `known` is an earlier answer of git's, used as long as it holds; about the very same repository, if that was made sure of. */
export const readIgnoreSettings = async (
  directory: ByteString,
  known?: GitConfig,
  repository = findRepository(directory),
  isSameRepository = false,
): Promise<IgnoreSettings> => {
  const config = await readGitConfig(directory, repository, known, isSameRepository);
  const { excludesFile } = config;
  const text = excludesFile === null ? null : readPlainText(excludesFile, { follow: true });
  return { ...config, globalExcludes: excludesFile === null || text === null ? null : { path: excludesFile, text } };
};

/** The repository's own rules that are not part of the work tree. */
export const readInfoExclude = (repository: UserRepository): ByteString | null =>
  readPlainText(below(repository.commonDirectory, 'info/exclude'), { follow: true });
