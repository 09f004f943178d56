import type { GitResult } from '../../host/index.ts';
import { type ByteString, fromText, type GitHead, type RefChange, RetakeError } from '../../model/index.ts';
import { readHead } from '../head.ts';
import { ObjectSide } from '../objects/object-side.ts';
import type { UserRepository } from '../repository.ts';
import { otherWorktrees } from './worktrees.ts';

/**
 * Moves branches, all or none (but those first that are in the way of others), and then HEAD. A ref that is where it should be counts
 * as moved, so that who was interrupted can do it again; one that is in neither place was moved by somebody else, and nothing happens.
 */
export const moveRefs = async (
  repository: UserRepository,
  { head, refs }: { readonly head: GitHead; readonly refs: readonly RefChange[] },
  message: string,
): Promise<void> => {
  const target = head.branch === null ? null : refOf(head.branch);
  // The branch that HEAD goes to must be where it is supposed to be, moved or not.
  const unmoved = target !== null && refs.every(({ ref }) => ref !== target) ? [{ ref: target, from: head.commit, to: head.commit }] : [];
  await ObjectSide.withUsers(repository, async (user) => {
    const run = async (args: readonly string[], input?: Buffer): Promise<void> =>
      expectDone(await user.ask(args, { accept: [1, 128], ...(input === undefined ? {} : { input }) }));
    const moves = [...refs, ...unmoved];
    const present = new Map((await user.refs(...moves.map(({ ref }) => ref))).map(({ ref, id }) => [ref, id]));
    const zero = '0'.repeat(repository.objectFormat === 'sha1' ? 40 : 64);
    const commands = moves.map((move) => ({ move, text: command(move, present.get(fromText(move.ref)) ?? null, zero) }));
    const make = (some: typeof commands): Promise<void> =>
      run(['update-ref', '-m', message, '-z', '--stdin'], Buffer.from(some.map(({ text }) => text).join(''), 'latin1'));
    const first = commands.filter(({ move }) => moves.some((other) => isInTheWay(move, other)));
    if (first.length > 0) await make(first);
    await make(commands.filter((each) => !first.includes(each)));
    const now = await readHead(repository);
    if (target !== null && now.branch !== head.branch) await run(['symbolic-ref', '-m', message, 'HEAD', target]);
    if (target === null && head.commit !== null && (now.branch !== null || now.commit !== head.commit))
      await run(['update-ref', '--no-deref', '-m', message, 'HEAD', head.commit]);
  });
};

/** Where refs, by their full names, are; those that do not exist are left out. */
export const readRefs = async (repository: UserRepository, refs: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (refs.length === 0) return new Map();
  const found = await ObjectSide.withUsers(repository, (user) => user.refs(...refs));
  const wanted = new Map(refs.map((ref) => [fromText(ref) as string, ref]));
  return new Map(found.flatMap(({ ref, id }) => (wanted.has(ref) ? [[wanted.get(ref) as string, id] as const] : [])));
};

/** The path of another work tree in which a branch is checked out. */
export const branchElsewhere = async (repository: UserRepository, branch: string): Promise<ByteString | null> => {
  const ref = fromText(refOf(branch));
  return (await otherWorktrees(repository)).find((worktree) => worktree.branch === ref)?.path ?? null;
};

const refOf = (branch: string): string => (branch.startsWith('refs/') ? branch : `refs/heads/${branch}`);

/** git has no `a/b` beside `a`, and can't take away one and make the other at once. */
const isInTheWay = (gone: RefChange, made: RefChange): boolean =>
  gone.to === null && made.to !== null && (made.ref.startsWith(`${gone.ref}/`) || gone.ref.startsWith(`${made.ref}/`));

const command = ({ ref, from, to }: RefChange, present: string | null, zero: string): string => {
  if (present !== from && present !== to) throw moved(`${ref} is at ${present ?? 'nothing'}, not at ${from ?? 'nothing'}`);
  const name = fromText(ref);
  if (present === to) return `verify ${name}\0${to ?? zero}\0`;
  return to === null ? `delete ${name}\0${from}\0` : `update ${name}\0${to}\0${from ?? zero}\0`;
};

const expectDone = ({ code, stderr }: GitResult): void => {
  if (code === 0) return;
  const said = stderr.trim();
  if (/\.lock': File exists/.test(said))
    throw new RetakeError('git-busy', `git is at work in this repository: ${said}`, {
      hint: 'Wait for it to finish. If no git process is running, one was killed: remove that file and try again.',
    });
  if (/but expected|reference already exists|reference is missing|unable to resolve reference/.test(said)) throw moved(said);
  throw new RetakeError('git-failed', `git could not move the refs: ${said}`);
};

const moved = (what: string): RetakeError =>
  new RetakeError('git-moved', `The repository has changed meanwhile: ${what}`, { hint: 'Look at the preview again.' });
