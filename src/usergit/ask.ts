import { closeSync, constants, openSync } from 'node:fs';
import { type GitResult, git } from '../host/index.ts';
import { type ByteString, isUtf8, toBytes, toText } from '../model/index.ts';

/**
 * Asks the git binary about the repository around a directory. Whatever exit codes may mean "I can't tell" are to be
 * named: an answer that is missing must not fail a capture.
 */
export const askGit = async (
  directory: ByteString,
  args: readonly string[],
  accept: readonly number[],
  input?: Uint8Array,
): Promise<GitResult> => {
  const options = { manners: 'user', accept, ...(input === undefined ? {} : { input }) } as const;
  return inDirectory(directory, (cwd) => git(args, { ...options, cwd }));
};

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
