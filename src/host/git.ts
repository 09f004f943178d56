import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { RetakeError, systemCode } from '../model/index.ts';
import { noSpace, readIfExists } from './files.ts';
import { interrupted } from './interrupt.ts';

/** Whose configuration a git process obeys. */
type GitManners =
  /** Ours: no configuration but the repository's own; for the store. */
  | 'neutral'
  /** The user's configuration is read (that is what we ask about), but nothing it could run is run. */
  | 'user'
  /** The user asked for it: done as if they had typed it, with their configuration, hooks, filters, signing and identity in force. */
  | 'as-user';

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  readonly cwd?: string;
  readonly manners: GitManners;
  readonly input?: Uint8Array | Readable;
  /** Exit codes that are answers, not failures. */
  readonly accept?: readonly number[];
  /** Variables for this process alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told the id of the process as soon as there is one. */
  readonly onStart?: (pid: number) => void;
  /** Told what the process says on either stream, while it says it. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  /** Ends the process; what was asked for is then refused as interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what the process prints, piece by piece, instead of collecting it. What it throws ends the process. */
  readonly into?: (chunk: Buffer) => void;
}

/** Nothing of these may run or leak in, whatever the agent's environment or the repository says (CAP-10). */
const INERT = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
const NEUTRAL = [...INERT, '-c', 'core.excludesFile=/dev/null', '-c', 'core.attributesFile=/dev/null'];

const OVERRIDES: Readonly<Record<GitManners, readonly string[]>> = { neutral: NEUTRAL, user: INERT, 'as-user': [] };

/** A partial clone would fetch what is missing; older gits know only the second way to forbid it. */
const NO_FETCHING = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/** History as it is, whatever `info/grafts` makes it look like. */
const NO_GRAFTS = { GIT_GRAFT_FILE: '/dev/null' };

const PASSED_ON = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'LD_LIBRARY_PATH'];

/** What would lead git to another repository than the one meant: left by a git that started us, or by an agent. */
const LEADING_ELSEWHERE =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|INTERNAL_SUPER_PREFIX|IMPLICIT_WORK_TREE|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|CEILING_DIRECTORIES|ATTR_SOURCE|QUARANTINE_PATH|REFLOG_ACTION|CONFIG)$/;

const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined || LEADING_ELSEWHERE.test(name) ? [] : [[name, value]])),
  );

const environment = (manners: GitManners): Record<string, string> => {
  if (manners === 'as-user') return ownEnvironment();
  const built: Record<string, string> = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', ...NO_FETCHING, ...NO_GRAFTS };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) built[name] = value;
  }
  return manners === 'user'
    ? built
    : { ...built, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };
};

export interface GitCall {
  readonly args: readonly string[];
  readonly options: GitOptions;
}

/** Every git process starts here. The first one of ours asks for the version, so that an old git is refused and not misunderstood. */
export const git = async (args: readonly string[], options: GitOptions): Promise<GitResult> => {
  await gitVersion();
  return run(args, options);
};

/** For a short question that can not be waited for otherwise. Undefined where git can not answer, or not in time; its version is not asked. */
export const gitAtOnce = (
  args: readonly string[],
  { cwd, patience }: { readonly cwd: string; readonly patience: number },
): string | undefined => {
  started++;
  const { status, stdout } = spawnSync('git', [...OVERRIDES.user, ...args], {
    cwd,
    env: environment('user'),
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patience,
  });
  return status === 0 ? stdout : undefined;
};

const run = async (args: readonly string[], options: GitOptions): Promise<GitResult> => {
  const child = start({ args, options });
  feed(child, options.input);
  return checked({ args, options }, await resultOf(child, options));
};

const feed = ({ stdin }: ChildProcessWithoutNullStreams, input: GitOptions['input']): void => {
  if (!(input instanceof Readable)) {
    stdin.end(input);
    return;
  }
  input.on('error', () => stdin.destroy());
  input.pipe(stdin);
};

/** Runs two gits at once: what the first one prints is what the second one reads. */
export const pipeGit = async (from: GitCall, to: GitCall): Promise<void> => {
  await gitVersion();
  const [source, sink] = [start(from), start(to)];
  source.stdout.pipe(sink.stdin);
  // Nobody reads any more: let the first one end too.
  sink.on('close', () => source.stdout.destroy());
  feed(source, from.options.input);
  const [sent, received] = await Promise.all([resultOf(source, from.options, false), resultOf(sink, to.options)]);
  // One that ends early makes the other one fail: the cause is where something was said.
  if (sent.stderr !== '') checked(from, sent);
  checked(to, received);
  checked(from, sent);
};

/** What a process ends with that was ended by Ctrl-C, which reaches git at the same time as us. */
const INTERRUPTED = 128 + constants.signals.SIGINT;

const checked = ({ args, options }: GitCall, result: GitResult): GitResult => {
  const { code, stderr } = result;
  if (options.signal?.aborted || (options.signal !== undefined && code === INTERRUPTED)) throw interrupted();
  if (code === 0 || (options.accept ?? []).includes(code)) return result;
  const problem = `git ${verbOf(args)} failed: ${complaintIn(stderr) || `exit code ${code}`}`;
  const failure = new RetakeError('git-failed', problem);
  throw isFullDisk(stderr) ? noSpace(whereItRan({ args, options }), { cause: failure }) : failure;
};

/** git says so in words only. */
const isFullDisk = (stderr: string): boolean => /No space left on device|Out of diskspace|Disk quota exceeded/.test(stderr);

const whereItRan = ({ args, options }: GitCall): string =>
  args.find((_, index) => args[index - 1] === '--git-dir') ?? options.cwd ?? 'what git was asked to';

/** What is wrong, without the lines that tell how far it got. */
const complaintIn = (stderr: string): string => {
  const lines = stderr.split(/[\r\n]+/);
  const complaints = stderr.includes('\r') ? lines.filter((line) => /^(fatal|error|warning):/.test(line)) : [];
  return (complaints.length > 0 ? complaints.join('\n') : stderr).trim();
};

/** The first word that is neither an option nor the value of one. */
const verbOf = (args: readonly string[]): string =>
  args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '--git-dir' && args[index - 1] !== '-c') ?? '';

/** How long output is waited for after git has ended: a hook may have left a process behind that keeps it open. */
const LAST_WORDS = 500;

let started = 0;

/** How many processes of git this one has started so far. */
export const gitsStarted = (): number => started;

const start = ({ args, options: { manners, cwd, env, onStart, signal } }: GitCall): ChildProcessWithoutNullStreams => {
  started++;
  const child = spawn('git', [...OVERRIDES[manners], ...args], {
    cwd,
    env: { ...environment(manners), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  const end = (): boolean => child.kill();
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  child.on('close', () => signal?.removeEventListener('abort', end));
  // git may exit without reading its input; that shows in its exit code, not here.
  child.stdin.on('error', () => {});
  return child;
};

const resultOf = (
  child: ChildProcessWithoutNullStreams,
  { manners, onOutput, into }: GitOptions,
  collects = into === undefined,
): Promise<GitResult> =>
  new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const listen = (stream: Readable, said: Buffer[]): void => {
      stream.on('data', (chunk: Buffer) => {
        said.push(chunk);
        onOutput?.(chunk);
      });
    };
    if (collects) listen(child.stdout, stdout);
    if (into !== undefined) {
      child.stdout.on('data', (chunk: Buffer) => {
        try {
          into(chunk);
        } catch (error) {
          child.stdout.destroy();
          child.kill();
          reject(error);
        }
      });
    }
    listen(child.stderr, stderr);
    const end = (code: number | null, by: NodeJS.Signals | null): void =>
      resolve({
        code: code ?? 128 + (by === null ? 0 : constants.signals[by]),
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString(),
      });
    child.on('error', (error) => reject(systemCode(error) === 'ENOENT' ? gitMissing(error) : error));
    child.on('close', end);
    if (manners === 'as-user') {
      child.on('exit', (code, by) => {
        const impatience = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
          end(code, by);
        }, LAST_WORDS);
        child.on('close', () => clearTimeout(impatience));
      });
    }
  });

const gitMissing = (cause: unknown): RetakeError =>
  new RetakeError('git-missing', 'git was not found', { hint: 'Install git 2.25 or newer and make sure it is in PATH.', cause });

const OLDEST = [2, 25] as const;

export type GitVersion = readonly [major: number, minor: number, patch: number];

let known: { readonly path: string | undefined; readonly version: Promise<GitVersion> } | undefined;

/** The version of the git in PATH; refuses one that is too old. Asked once; a refusal is forgotten, because the user may install another. */
export const gitVersion = (): Promise<GitVersion> => {
  const path = process.env.PATH;
  if (known === undefined || known.path !== path) {
    const version = askVersion();
    known = { path, version };
    version.catch(() => {
      known = undefined;
    });
  }
  return known.version;
};

/** Why the git in PATH can not be used; null where it can. */
export const whyGitIsUnusable = async (): Promise<RetakeError | null> => {
  try {
    await gitVersion();
    return null;
  } catch (error) {
    if (error instanceof RetakeError) return error;
    throw error;
  }
};

const askVersion = async (): Promise<GitVersion> => {
  const { stdout } = await run(['--version'], { manners: 'neutral' });
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(stdout.toString());
  const version = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0), Number(found?.[3] ?? 0)] as const;
  if (version[0] < OLDEST[0] || (version[0] === OLDEST[0] && version[1] < OLDEST[1])) {
    throw new RetakeError('git-too-old', `git ${version.join('.')} is too old`, { hint: `Retake needs git ${OLDEST.join('.')} or newer.` });
  }
  return version;
};

/** Whether a git that somebody started is still at work, going by its id. */
export const isGitAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    const stat = readIfExists(`/proc/${pid}/stat`)?.toString();
    // The id may have gone to another process since; where the system tells, a git is called so. One that ended is listed until somebody
    // asks what came of it, which in a container may be never.
    return stat === undefined || /^\d+ \(git[^)]*\) [^ZX]/.test(stat);
  } catch {
    return false;
  }
};
