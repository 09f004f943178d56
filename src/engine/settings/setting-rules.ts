import type { Durability } from '../../host/index.ts';
import { canNameBranch } from '../../model/index.ts';

/** What a setting may be, and what it is for. */
interface Rule<T> {
  readonly fallback: T;
  readonly meaning: string;
  readonly wanted: string;
  readonly accepts: (value: unknown) => value is T;
  /** In a variable, and on a command line, it is written as it is, not as JSON. */
  readonly isPlainText?: boolean;
  /** Why it can not be one thing here and another there; undefined where each workspace may have its own. */
  readonly forAll?: string;
}

type HistoryMode = 'private' | 'branch';
type CommitBatch = 'step' | 'turn' | 'interval';

const count = (fallback: number, maximum: number, meaning: string): Rule<number> => ({
  fallback,
  meaning,
  wanted: `a whole number from 1 to ${maximum}`,
  accepts: (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum,
});

const amount = (fallback: number, maximum: number, meaning: string): Rule<number> => ({
  fallback,
  meaning,
  wanted: `a number above 0, up to ${maximum}`,
  accepts: (value): value is number => typeof value === 'number' && value > 0 && value <= maximum,
});

const flag = (fallback: boolean, meaning: string): Rule<boolean> => ({
  fallback,
  meaning,
  wanted: 'true or false',
  accepts: (value): value is boolean => typeof value === 'boolean',
});

const text = (fallback: string, wanted: string, meaning: string): Rule<string> => ({
  fallback,
  meaning,
  wanted,
  accepts: (value): value is string => typeof value === 'string',
  isPlainText: true,
});

/** What follows is an id. With that it has to fit where names of files end. */
const branchPrefix = (fallback: string, meaning: string): Rule<string> => ({
  ...text(fallback, `the beginning of a branch name as git takes it, of at most ${LONGEST_PREFIX} bytes`, meaning),
  accepts: (value): value is string =>
    typeof value === 'string' && Buffer.byteLength(value) <= LONGEST_PREFIX && canNameBranch(`${value}session`),
});

const LONGEST_PREFIX = 100;

const texts = (fallback: readonly string[], meaning: string): Rule<readonly string[]> => ({
  fallback,
  meaning,
  wanted: 'a list of texts',
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string'),
});

const oneOf = <T extends string>([fallback, ...others]: readonly [T, ...T[]], meaning: string): Rule<T> => ({
  fallback,
  meaning,
  wanted: [fallback, ...others].map((choice) => JSON.stringify(choice)).join(' or '),
  accepts: (value): value is T => value === fallback || others.some((other) => value === other),
});

/** A rule for something that all workspaces share. */
const shared = <T>(rule: Rule<T>, forAll: string): Rule<T> => ({ ...rule, forAll });

const ONE_PROCESS = 'one background process serves all workspaces';
const BEFORE_ANY = 'a hook needs it before it knows which workspace it is about';

const RULES = {
  'capture.include': texts(
    ['.env', '.env.*'],
    'Patterns (as in .gitignore) of files that are captured even when ignored, unless excluded.',
  ),
  'capture.exclude': texts(
    [],
    'Patterns (as in .gitignore) of what is never captured, not even if it is tracked, included, or edited by an agent. A rewind leaves it alone.',
  ),
  'capture.maxFileBytes': count(100_000_000, 2 ** 30, 'Larger files are left out of checkpoints, and listed as omitted.'),
  'capture.maxFiles': count(500_000, 100_000_000, 'Workspaces with more files are refused.'),
  'capture.maxTotalBytes': count(20_000_000_000, Number.MAX_SAFE_INTEGER, 'Larger workspaces are refused.'),
  'capture.allowedRoots': shared(
    texts([], 'Directories that may be protected although they are the home directory or contain it.'),
    'it says which directories can be workspaces at all',
  ),
  durability: oneOf<Durability>(['process', 'power'], 'Whether what is recorded survives the end of any process, or a power cut too.'),
  'daemon.enabled': shared(flag(true, 'Whether commands and hooks use a background process, and start it.'), ONE_PROCESS),
  'daemon.idleMinutes': shared(amount(30, 100_000, 'How long the background process stays without anything to do.'), ONE_PROCESS),
  'daemon.maxWatches': shared(count(200_000, 10_000_000, 'Directories watched at once, in all workspaces together.'), ONE_PROCESS),
  'server.port': shared(count(4747, 65_535, 'Where the HTTP interface is served, if that port is free.'), ONE_PROCESS),
  'hook.deadlineMs': shared(count(2000, 600_000, 'How long a hook may keep the agent waiting.'), BEFORE_ANY),
  'record.automatic': flag(true, "Whether agents' events make checkpoints."),
  'record.skipTools': texts([], 'Tools whose steps make none.'),
  'agent.tellRewinds': flag(true, 'Whether an agent is told, with its next step or prompt, which files were taken back meanwhile.'),
  'conversation.summarizer': text(
    '',
    'a command as text',
    'A shell command that makes a summary of the conversation on its standard input; empty for a plain digest.',
  ),
  'history.mode': oneOf<HistoryMode>(
    ['private', 'branch'],
    "Where an agent's steps go: into the store alone, or also onto the user's branch, as commits.",
  ),
  'history.batch': oneOf<CommitBatch>(
    ['step', 'turn', 'interval'],
    'What becomes one commit in history mode branch: each step, all steps of a turn, or what was done in history.batchSeconds.',
  ),
  'history.batchSeconds': count(
    60,
    86_400,
    'How long steps wait for others to be in one commit with them, where history.batch is interval.',
  ),
  'export.exclude': texts(['.env*'], 'Patterns (as in .gitignore) of files whose contents leave in no export and no report.'),
  'git.recoveryPrefix': branchPrefix('recovery/', 'What the names of recovery branches begin with.'),
  'git.recoveryBranch': flag(false, 'Whether every rewind of code makes a recovery branch of git from the state before it.'),
  'reflog.days': count(180, 100_000, 'How many days retake health --fix has git keep the entries of its reflogs.'),
  'reflog.warnDays': count(90, 100_000, 'Health warns where git keeps them for fewer days; never of what reflog.days asks for.'),
  'health.slowRecordMs': count(100, 3_600_000, 'A checkpoint that takes longer is noted as slow, and why.'),
  'health.slowListMs': count(200, 3_600_000, 'The same for lists: log, search, sessions, forks.'),
  'health.slowDiffMs': count(500, 3_600_000, 'The same for differences.'),
  'health.slowRewindMs': count(1000, 3_600_000, 'The same for rewinds and their kin, their previews, compare and blame.'),
  'retention.days': count(30, 100_000, "How long what was recorded at agents' events is kept."),
  'retention.rolledBackDays': count(180, 100_000, 'How long work that was rolled back can be recovered.'),
  'retention.forkDays': count(365, 100_000, 'How long the code at a fork of a conversation is kept.'),
  'retention.maxCheckpoints': count(50_000, 100_000_000, "How many records of a workspace's state are kept."),
  'retention.maxBytes': count(5_000_000_000, Number.MAX_SAFE_INTEGER, "How much a workspace's store may take on disk."),
  'retention.maxTotalBytes': shared(
    count(20_000_000_000, Number.MAX_SAFE_INTEGER, 'How much the stores of all workspaces may take together.'),
    'it is about all stores together',
  ),
  'upkeep.everyHours': amount(24, 100_000, 'How often a store is looked after without being asked.'),
  'upkeep.idleMinutes': amount(10, 100_000, 'How long nobody must have used the workspace before that.'),
};

export type Settings = { readonly [K in keyof typeof RULES]: (typeof RULES)[K]['fallback'] };
export type SettingKey = keyof Settings;

export const SETTING_KEYS = Object.keys(RULES) as SettingKey[];

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(RULES, key);

export const ruleOf = <K extends SettingKey>(key: K): Rule<Settings[K]> => RULES[key] as unknown as Rule<Settings[K]>;

/** Where a setting can be written down, the strongest first. */
export const SETTING_LEVELS = ['workspace', 'user'] as const;
export type SettingLevel = (typeof SETTING_LEVELS)[number];

export const mayBeAt = (key: SettingKey, level: SettingLevel): boolean => level === 'user' || ruleOf(key).forAll === undefined;

/** `capture.maxFiles` may come from `RETAKE_CAPTURE_MAX_FILES`. */
export const variableOf = (key: SettingKey): string =>
  `RETAKE_${key
    .replaceAll('.', '_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`;

/** A setting as it is written in a variable or on a command line: numbers and lists are JSON, any other text stands for itself. */
export const parseSetting = (key: SettingKey, text: string): unknown => {
  if (ruleOf(key).isPlainText) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
