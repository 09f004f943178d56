import type { Durability } from '../host/index.ts';

/** What a setting may be, and what it is for. */
interface Rule<T> {
  readonly fallback: T;
  readonly meaning: string;
  readonly wanted: string;
  readonly accepts: (value: unknown) => value is T;
  /** In a variable, and on a command line, it is written as it is, not as JSON. */
  readonly isPlainText?: boolean;
}

type Choice = 'private' | 'branch';

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

const texts = (fallback: readonly string[], meaning: string): Rule<readonly string[]> => ({
  fallback,
  meaning,
  wanted: 'a list of texts',
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string'),
});

const oneOf = <T extends string>(fallback: T, other: T, meaning: string): Rule<T> => ({
  fallback,
  meaning,
  wanted: `"${fallback}" or "${other}"`,
  accepts: (value): value is T => value === fallback || value === other,
});

const RULES = {
  'capture.include': texts(['.env', '.env.*'], 'Patterns (as in .gitignore) of files that are captured even when ignored.'),
  'capture.maxFileBytes': count(100_000_000, 2 ** 30, 'Larger files are left out of checkpoints, and listed as omitted.'),
  'capture.maxFiles': count(500_000, 100_000_000, 'Workspaces with more files are refused.'),
  'capture.maxTotalBytes': count(20_000_000_000, Number.MAX_SAFE_INTEGER, 'Larger workspaces are refused.'),
  'capture.allowedRoots': texts([], 'Directories that may be protected although they are the home directory or contain it.'),
  durability: oneOf<Durability>('process', 'power', 'Whether what is recorded survives the end of any process, or a power cut too.'),
  'daemon.enabled': flag(true, 'Whether commands and hooks use a background process, and start it.'),
  'daemon.idleMinutes': amount(30, 100_000, 'How long the background process stays without anything to do.'),
  'daemon.maxWatches': count(200_000, 10_000_000, 'Directories watched at once, in all workspaces together.'),
  'server.port': count(4747, 65_535, 'Where the HTTP interface is served, if that port is free.'),
  'hook.deadlineMs': count(2000, 600_000, 'How long a hook may keep the agent waiting.'),
  'record.automatic': flag(true, "Whether agents' events make checkpoints."),
  'record.skipTools': texts([], 'Tools whose steps make none.'),
  'agent.tellRewinds': flag(true, 'Whether an agent is told, with its next prompt, which files were taken back meanwhile.'),
  'conversation.summarizer': text(
    '',
    'a command as text',
    'A shell command that makes a summary of the conversation on its standard input; empty for a plain digest.',
  ),
  'history.mode': oneOf<Choice>(
    'private',
    'branch',
    "Where an agent's steps go: into the store alone, or also onto the user's branch, a commit each.",
  ),
  'export.exclude': texts(['.env*'], 'Patterns (as in .gitignore) of files whose contents leave in no export and no report.'),
  'git.recoveryPrefix': text('recovery/', 'the beginning of a branch name as text', 'What the names of recovery branches begin with.'),
  'retention.days': count(30, 100_000, "How long what was recorded at agents' events is kept."),
  'retention.rolledBackDays': count(180, 100_000, 'How long work that was rolled back can be recovered.'),
  'retention.forkDays': count(365, 100_000, 'How long the code at a fork of a conversation is kept.'),
  'retention.maxCheckpoints': count(50_000, 100_000_000, "How many records of a workspace's state are kept."),
  'retention.maxBytes': count(5_000_000_000, Number.MAX_SAFE_INTEGER, "How much a workspace's store may take on disk."),
  'retention.maxTotalBytes': count(20_000_000_000, Number.MAX_SAFE_INTEGER, 'How much all of them may take together.'),
  'upkeep.everyHours': amount(24, 100_000, 'How often a store is looked after without being asked.'),
  'upkeep.idleMinutes': amount(10, 100_000, 'How long nobody must have used the workspace before that.'),
};

export type Settings = { readonly [K in keyof typeof RULES]: (typeof RULES)[K]['fallback'] };
export type SettingKey = keyof Settings;

export const SETTING_KEYS = Object.keys(RULES) as SettingKey[];

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(RULES, key);

export const ruleOf = <K extends SettingKey>(key: K): Rule<Settings[K]> => RULES[key] as unknown as Rule<Settings[K]>;

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
