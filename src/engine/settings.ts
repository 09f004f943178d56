import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Durability, dataDirectory, readIfExists } from '../host/index.ts';
import { RetakeError } from '../model/index.ts';

export interface Settings {
  /** Patterns (as in .gitignore) of files that are captured even when ignored. */
  readonly 'capture.include': readonly string[];
  readonly 'capture.maxFileBytes': number;
  readonly 'capture.maxFiles': number;
  readonly 'capture.maxTotalBytes': number;
  /** Directories that may be protected although they are the home directory or contain it. */
  readonly 'capture.allowedRoots': readonly string[];
  readonly durability: Durability;
  /** Whether commands and hooks use a background process, and start it. */
  readonly 'daemon.enabled': boolean;
  /** How long the background process stays without anything to do. */
  readonly 'daemon.idleMinutes': number;
  /** Directories watched at once, in all workspaces together. */
  readonly 'daemon.maxWatches': number;
  /** Where the HTTP interface is served, if that port is free. */
  readonly 'server.port': number;
  /** How long a hook may keep the agent waiting. */
  readonly 'hook.deadlineMs': number;
  /** Whether agents' events make checkpoints. */
  readonly 'record.automatic': boolean;
  /** Tools whose steps make none. */
  readonly 'record.skipTools': readonly string[];
  /** Whether an agent is told, with its next prompt, which files were taken back meanwhile. */
  readonly 'agent.tellRewinds': boolean;
  /** A shell command that makes a summary of the conversation on its standard input; empty for a plain digest. */
  readonly 'conversation.summarizer': string;
  /** How long what was recorded at agents' events is kept. */
  readonly 'retention.days': number;
  /** How long work that was rolled back can be recovered. */
  readonly 'retention.rolledBackDays': number;
  /** How long the code at a fork of a conversation is kept. */
  readonly 'retention.forkDays': number;
  /** How many records of a workspace's state are kept. */
  readonly 'retention.maxCheckpoints': number;
  /** How much a workspace's store may take on disk, and all of them together. */
  readonly 'retention.maxBytes': number;
  readonly 'retention.maxTotalBytes': number;
  /** How often a store is looked after without being asked. */
  readonly 'upkeep.everyHours': number;
  /** How long nobody must have used the workspace before that. */
  readonly 'upkeep.idleMinutes': number;
  /** Where an agent's steps go: into the store alone, or also onto the user's branch, a commit each. */
  readonly 'history.mode': 'private' | 'branch';
  /** What the names of recovery branches begin with. */
  readonly 'git.recoveryPrefix': string;
  /** Patterns (as in .gitignore) of files whose contents leave in no export and no report. */
  readonly 'export.exclude': readonly string[];
}

type Key = keyof Settings;

interface Rule<T> {
  readonly fallback: T;
  readonly wanted: string;
  readonly accepts: (value: unknown) => value is T;
  /** In a variable it is written as it is, not as JSON. */
  readonly isPlainText?: boolean;
}

const count = (fallback: number, maximum: number): Rule<number> => ({
  fallback,
  wanted: `a whole number from 1 to ${maximum}`,
  accepts: (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum,
});

const amount = (fallback: number, maximum: number): Rule<number> => ({
  fallback,
  wanted: `a number above 0, up to ${maximum}`,
  accepts: (value): value is number => typeof value === 'number' && value > 0 && value <= maximum,
});

const flag = (fallback: boolean): Rule<boolean> => ({
  fallback,
  wanted: 'true or false',
  accepts: (value): value is boolean => typeof value === 'boolean',
});

const text = (fallback: string, wanted: string): Rule<string> => ({
  fallback,
  wanted,
  accepts: (value): value is string => typeof value === 'string',
  isPlainText: true,
});

const texts = (fallback: readonly string[]): Rule<readonly string[]> => ({
  fallback,
  wanted: 'a list of texts',
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string'),
});

const RULES: { readonly [K in Key]: Rule<Settings[K]> } = {
  'capture.include': texts(['.env', '.env.*']),
  'capture.maxFileBytes': count(100_000_000, 2 ** 30),
  'capture.maxFiles': count(500_000, 100_000_000),
  'capture.maxTotalBytes': count(20_000_000_000, Number.MAX_SAFE_INTEGER),
  'capture.allowedRoots': texts([]),
  durability: {
    fallback: 'process',
    wanted: '"process" or "power"',
    accepts: (value): value is Durability => value === 'process' || value === 'power',
  },
  'daemon.enabled': flag(true),
  'daemon.idleMinutes': amount(30, 100_000),
  'daemon.maxWatches': count(200_000, 10_000_000),
  'server.port': count(4747, 65_535),
  'hook.deadlineMs': count(2000, 600_000),
  'record.automatic': flag(true),
  'record.skipTools': texts([]),
  'agent.tellRewinds': flag(true),
  'conversation.summarizer': text('', 'a command as text'),
  'history.mode': {
    fallback: 'private',
    wanted: '"private" or "branch"',
    accepts: (value): value is 'private' | 'branch' => value === 'private' || value === 'branch',
  },
  'export.exclude': texts(['.env*']),
  'git.recoveryPrefix': text('recovery/', 'the beginning of a branch name as text'),
  'retention.days': count(30, 100_000),
  'retention.rolledBackDays': count(180, 100_000),
  'retention.forkDays': count(365, 100_000),
  'retention.maxCheckpoints': count(50_000, 100_000_000),
  'retention.maxBytes': count(5_000_000_000, Number.MAX_SAFE_INTEGER),
  'retention.maxTotalBytes': count(20_000_000_000, Number.MAX_SAFE_INTEGER),
  'upkeep.everyHours': amount(24, 100_000),
  'upkeep.idleMinutes': amount(10, 100_000),
};

/** `capture.maxFiles` may come from `RETAKE_CAPTURE_MAX_FILES`. */
const VARIABLES = Object.fromEntries(
  Object.keys(RULES).map((key) => {
    const words = key.replaceAll('.', '_').replaceAll(/([a-z])([A-Z])/g, '$1_$2');
    return [key, `RETAKE_${words.toUpperCase()}`];
  }),
) as { readonly [K in Key]: string };

/** Those that were set for this process alone. */
export const settingsOfEnvironment = (): readonly Key[] =>
  (Object.keys(RULES) as Key[]).filter((key) => process.env[VARIABLES[key]] !== undefined);

/** The environment first, then `settings.json` in the data directory, then what is built in. */
export const loadSettings = (): Settings => {
  const path = join(dataDirectory(), 'settings.json');
  const file = parseFile(path);
  for (const key of Object.keys(file)) if (!Object.hasOwn(RULES, key)) throw badSetting(key, path, 'there is no such setting');
  const value = <K extends Key>(key: K): Settings[K] => {
    const rule = RULES[key];
    const variable = VARIABLES[key];
    const given = process.env[variable];
    if (given !== undefined) return checked(rule, rule.isPlainText ? given : parseText(given), key, variable);
    return Object.hasOwn(file, key) ? checked(rule, file[key], key, path) : rule.fallback;
  };
  return Object.fromEntries((Object.keys(RULES) as Key[]).map((key) => [key, value(key)])) as unknown as Settings;
};

let loaded: { readonly settings: Settings; readonly stamp: string } | undefined;

/** The same object as long as the file stays the same: for a process that asks again and again, and whose environment does not change. */
export const currentSettings = (): Settings => {
  const stat = statSync(join(dataDirectory(), 'settings.json'), { throwIfNoEntry: false });
  const stamp = stat === undefined ? 'none' : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino].join(' ');
  // Two changes close to each other may leave the same times.
  const isSettled = stat === undefined || Math.max(stat.mtimeMs, stat.ctimeMs) < Date.now() - 2100;
  if (loaded === undefined || loaded.stamp !== stamp || !isSettled) {
    const settings = loadSettings();
    // One that says the same is the same.
    loaded = { stamp, settings: JSON.stringify(settings) === JSON.stringify(loaded?.settings) ? (loaded?.settings ?? settings) : settings };
  }
  return loaded.settings;
};

const checked = <T>(rule: Rule<T>, value: unknown, key: Key, from: string): T => {
  if (rule.accepts(value)) return value;
  throw badSetting(key, from, `expected ${rule.wanted}`);
};

const parseFile = (path: string): Record<string, unknown> => {
  const bytes = readIfExists(path);
  if (bytes === undefined) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON at all: told below, like JSON of another shape.
  }
  throw new RetakeError('bad-setting', `${path} is not a JSON object`, { hint: 'Correct the file or remove it.' });
};

/** Numbers and lists are written as JSON; any other text stands for itself. */
const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const badSetting = (key: string, from: string, why: string): RetakeError =>
  new RetakeError('bad-setting', `The setting ${key} in ${from} is wrong: ${why}`, { hint: 'Correct it or remove it.' });
