import { AGENT_EVENT_KINDS, ROLLBACK_KINDS } from '../../../src/model/index.ts';
import { gitIn } from '../../support/git.ts';
import type { Served } from '../served.ts';
import type { Live } from './values.ts';

/** Fields of requests by what they name. */
const KINDS: Readonly<Record<string, keyof Known>> = {
  session: 'sessions',
  sessionId: 'sessions',
  checkpoint: 'checkpoints',
  other: 'checkpoints',
  a: 'branches',
  b: 'branches',
  commit: 'commits',
  step: 'steps',
  rollback: 'rollbacks',
  branch: 'branches',
  fork: 'forks',
  at: 'messages',
  // A turn by its prompt, and what begins a branch is one.
  message: 'branches',
  workspace: 'workspaces',
  path: 'paths',
  pathBase64: 'pathsInBase64',
  expectedTree: 'trees',
  agentId: 'agents',
};

interface Known {
  readonly sessions: readonly string[];
  readonly checkpoints: readonly string[];
  readonly steps: readonly string[];
  /** Steps, and a commit of the user's git. */
  readonly commits: readonly string[];
  readonly rollbacks: readonly string[];
  readonly branches: readonly string[];
  readonly forks: readonly string[];
  readonly messages: readonly string[];
  readonly workspaces: readonly string[];
  readonly paths: readonly string[];
  readonly pathsInBase64: readonly string[];
  readonly trees: readonly string[];
  readonly agents: readonly string[];
}

const CHECKPOINTS: readonly string[] = [...AGENT_EVENT_KINDS, 'manual', 'safety'];

// biome-ignore lint/suspicious/noExplicitAny: answers that were checked against their schemas already
type Any = any;

/** What is there at this moment, asked of the command line, which is another process. */
export const readLive = ({ at, shared }: Served): Live => {
  const tell = (...args: string[]): Any => at.retake.json(at.workspace, ...args);
  const { operations } = tell('log');
  const { tree, forks } = tell('forks');
  const checkpoints = operations.filter(({ kind }: Any) => CHECKPOINTS.includes(kind));
  const target = checkpoints[0]?.id;
  const steps: string[] = operations.filter(({ kind }: Any) => kind === 'after-step').map(({ id }: Any) => id);
  const paths = ['shared.txt', 'base.txt', 'left.txt', 'right.txt'];
  const known: Known = {
    sessions: [...new Set<string>(operations.map(({ session }: Any) => session))],
    checkpoints: checkpoints.map(({ id }: Any) => id),
    steps,
    commits: [...steps, gitIn(at.workspace, 'rev-parse', 'HEAD').trim()],
    rollbacks: operations.filter(({ kind }: Any) => (ROLLBACK_KINDS as readonly string[]).includes(kind)).map(({ id }: Any) => id),
    branches: tree.flatMap(branchesIn),
    forks: forks.flatMap(({ id }: Any) => id ?? []),
    messages: forks.flatMap(({ at: message }: Any) => message ?? []),
    workspaces: [tell('status').store.split('/').at(-2)],
    paths,
    pathsInBase64: paths.map((path) => Buffer.from(path).toString('base64')),
    trees: target === undefined ? [] : [tell('rewind', target, '--dry-run').expectedTree],
    agents: [],
  };
  return (field) => (field === 'code' ? [shared.credentials.issueCode()] : KINDS[field] && known[KINDS[field]]);
};

const branchesIn = ({ branch, children }: Any): string[] => [branch, ...children.flatMap(branchesIn)];
