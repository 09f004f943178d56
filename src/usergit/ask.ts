import { closeSync, constants, openSync } from 'node:fs';
import { type GitOptions, type GitResult, git } from '../host/index.ts';
import { type ByteString, isUtf8, toBytes, toText } from '../model/index.ts';

/**
 * Asks the git binary about the repository around a directory. Whatever exit codes may mean "I can't tell" are to be
 * named: an answer that is missing must not fail a capture.
 */
export const askGit = (directory: ByteString, args: readonly string[], accept: readonly number[], input?: Uint8Array): Promise<GitResult> =>
  gitIn(directory, args, { manners: 'user', accept, ...(input === undefined ? {} : { input }) });

/** Has git do what the user asked to be done, as if they had typed it there. */
export const actAsUser = (directory: ByteString, args: readonly string[], options: Omit<GitOptions, 'cwd' | 'manners'> = {}) =>
  gitIn(directory, args, { ...options, manners: 'as-user' });

const gitIn = (directory: ByteString, args: readonly string[], options: Omit<GitOptions, 'cwd'>): Promise<GitResult> =>
  inDirectory(directory, (cwd) => git(args, { ...options, cwd }));

/** Node takes a working directory as text only; one whose name is not text is reached through an open descriptor. */
export const inDirectory = async <T>(directory: ByteString, work: (cwd: string) => Promise<T>): Promise<T> => {
  if (isUtf8(directory)) return work(toText(directory));
  const fd = openSync(toBytes(directory), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return await work(`/proc/${process.pid}/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
};
