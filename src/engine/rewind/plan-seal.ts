import { createHash } from 'node:crypto';
import type { RelativePath, TreeId, WorkspaceState } from '../../model/index.ts';
import type { RollbackPlan } from './plan.ts';

/**
 * One word for what a plan was made for: the state of the files, and a digest of what that does not tell: its target, where git
 * and files outside stand and go, and whose changes are taken in or out, which the log decides while the files stay as they are. One of what becomes of the
 * conversation follows, of a plan for a part one of what it is limited to, and of one that leaves files that keep changing, their names. Which sides
 * of conflicts are chosen since is still what was shown.
 */
export const sealOf = (plan: RollbackPlan): string => {
  const { target, git, conversation, replay, outside, expectedTree } = plan;
  const told = {
    target: target.id,
    git: git && { from: git.from, to: git.to, refs: git.refs },
    ...(outside.steps.length === 0 ? {} : { outside: outside.steps }),
    replay: replay && {
      steps: replay.steps.map(({ id, before, after, only, except }) => ({ id, before, after, only, except })),
      unrecorded: replay.unrecorded,
      squash: replay.squash,
    },
  };
  const talk = conversation && { agent: conversation.agent, from: conversation.from, messages: conversation.messages };
  const limits = limitsOf(plan);
  const digests = [digestOf(told), talk === undefined ? '' : digestOf(talk), ...(limits === null ? [] : [digestOf(limits)])];
  return [expectedTree, ...digests, ...asideWord(plan.setAside)].join(SEAL);
};

const SEAL = '~';
const ASIDE = 'aside.';

/** The names themselves, because what was left is left again, whether or not it changes still. */
const asideWord = (paths: readonly RelativePath[]): string[] =>
  paths.length === 0 ? [] : [`${ASIDE}${Buffer.from(JSON.stringify(paths)).toString('base64url')}`];

interface Sealed {
  readonly state: WorkspaceState;
  readonly setAside: readonly RelativePath[];
  /** It is no seal, but a state alone. */
  readonly isState: boolean;
}

/** What a plan was made for, as its seal tells it: the state of the files, and what it leaves because it keeps changing. */
export const readSeal = (seal: string): Sealed => {
  const [tree = '', ...rest] = seal.split(SEAL);
  const [files, meta = null] = tree.split('.');
  const word = rest.find((part) => part.startsWith(ASIDE));
  const state = { files: files as TreeId, meta: meta as TreeId | null };
  return { state, setAside: word === undefined ? [] : pathsIn(word), isState: rest.length === 0 };
};

const pathsIn = (word: string): RelativePath[] => {
  try {
    const paths: unknown = JSON.parse(Buffer.from(word.slice(ASIDE.length), 'base64url').toString());
    return Array.isArray(paths) ? paths.filter((path): path is RelativePath => typeof path === 'string') : [];
  } catch {
    // No seal of ours: it will not be found to be that of any plan.
    return [];
  }
};

const digestOf = (told: object): string => createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);

/** The same however it was asked for; null where everything is meant. */
const limitsOf = ({ only, hunks, keepsCode = false }: RollbackPlan): object | null => {
  if (only === undefined && hunks === undefined && !keepsCode) return null;
  const parts = hunks?.map(({ path, oldStart, oldLines, newStart, newLines, digest }) =>
    JSON.stringify([path, oldStart, oldLines, newStart, newLines, digest]),
  );
  return { only: only && sorted(only), hunks: parts && sorted(parts), keepsCode };
};

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** Whether a state, or a plan by its seal, is what somebody was shown. Of what was shown a part may be taken, and never more than that. */
export const isExpected = (plan: RollbackPlan, expected: string): boolean => {
  if (!expected.includes(SEAL)) return expected === plan.expectedTree;
  const ofCode = plan.conversation === undefined ? withoutConversation(expected) : expected;
  return [plan, wholeFiles(plan), unlimited(plan)].some((shown) => sealOf(shown) === ofCode);
};

const withoutConversation = (seal: string): string => {
  const [state = '', told = '', , ...limits] = seal.split(SEAL);
  return [state, told, '', ...limits].join(SEAL);
};

/** Parts of files are chosen from the plan for these files. */
const wholeFiles = (plan: RollbackPlan): RollbackPlan => {
  const { only = [], hunks } = plan;
  return hunks === undefined ? plan : { ...plan, only: [...only, ...hunks.map(({ path }) => path)], hunks: undefined };
};

const unlimited = (plan: RollbackPlan): RollbackPlan => ({ ...plan, only: undefined, hunks: undefined, keepsCode: false });
