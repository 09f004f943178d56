import { type ByteString, type GitHead, toText } from '../model/index.ts';
import { askGit } from './ask.ts';
import { isPerWorktree } from './commits/ref-names.ts';
import { type HeadFile, parseRef, readHeadFile } from './head-file.ts';
import { below } from './paths.ts';
import { readPlainFile, readPlainText } from './plain-file.ts';
import type { UserRepository } from './repository.ts';

/** Where the user's HEAD is. A ref that is broken, or that nobody can follow, reads as a branch without commits. */
export const readHead = async (repository: UserRepository): Promise<GitHead> => {
  const head = readHeadFile(repository.gitDirectory);
  if (head === undefined) return { branch: null, commit: null };
  if ('commit' in head) return { branch: null, commit: head.commit };
  // In a repository with reftables the file is there only to make it look like one.
  if (head.ref === 'refs/heads/.invalid') return askForHead(repository);
  return { branch: branchName(head.ref), commit: readRef(repository, head.ref) };
};

/** As far as that can be told without asking git. */
export const hasCommits = (repository: UserRepository): boolean => {
  const head = readHeadFile(repository.gitDirectory);
  return head !== undefined && ('commit' in head || readRef(repository, head.ref) !== null);
};

const branchName = (ref: ByteString): string => toText(ref.replace(/^refs\/heads\//, '') as ByteString);

const askForHead = async (repository: UserRepository): Promise<GitHead> => {
  const ask = async (...args: string[]): Promise<ByteString | null> => {
    const { code, stdout } = await askGit(repository.top, args, [1, 128, 129]);
    return code === 0 ? (stdout.toString('latin1').trimEnd() as ByteString) : null;
  };
  const [ref, commit] = await Promise.all([ask('symbolic-ref', '--quiet', 'HEAD'), ask('rev-parse', '--quiet', '--verify', 'HEAD')]);
  return { branch: ref === null ? null : branchName(ref), commit };
};

/** As deep as git follows refs that name refs. */
const DEEPEST = 5;

/** What a ref names in the end, read in-process: null where reftables hide it. */
export const readRef = (repository: UserRepository, name: ByteString): string | null => {
  let ref = name;
  for (let depth = 0; depth < DEEPEST; depth++) {
    // A name that leads out of the repository is no ref, whatever lies there.
    if (ref.split('/').some((part) => part === '' || part.startsWith('.'))) return null;
    const found = readLooseRef(repository, ref) ?? readPackedRef(repository, ref);
    if (found === undefined) return null;
    if ('commit' in found) return found.commit;
    ref = found.ref;
  }
  return null;
};

const readLooseRef = (repository: UserRepository, ref: ByteString): HeadFile | undefined => {
  const home = isPerWorktree(ref) ? repository.gitDirectory : repository.commonDirectory;
  const text = readPlainText(below(home, ref), { follow: true, limit: 4096 });
  return text === null ? undefined : parseRef(text);
};

/** Read after the loose ref: packing writes this file first and only then removes the loose one. */
const readPackedRef = (repository: UserRepository, ref: ByteString): HeadFile | undefined => {
  const file = readPlainFile(below(repository.commonDirectory, 'packed-refs'), { follow: true });
  if (typeof file === 'string') return undefined;
  const at = file.bytes.indexOf(` ${ref}\n`, 0, 'latin1');
  if (at < 0) return undefined;
  const start = file.bytes.lastIndexOf('\n', at) + 1;
  return parseRef(file.bytes.toString('latin1', start, at) as ByteString);
};
