import { type ByteString, toText } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import { below, realPath, resolve } from '../paths.ts';
import type { UserRepository } from '../repository.ts';
import { isTrueOrAlways } from '../settings/config-file.ts';
import { type ConfigItem, listGitConfig } from '../settings/git-config.ts';
import { refPattern } from './ref-pattern.ts';

/** How long entries stay. */
export type Term =
  | { readonly kind: 'forever' }
  /** So many seconds from the entry's own time on. */
  | { readonly kind: 'span'; readonly seconds: number }
  /** Entries from before this second go, later ones stay. */
  | { readonly kind: 'since'; readonly second: number };

/** A term and what it comes from. */
export interface TermSetting {
  readonly term: Term;
  /** As it is written in the configuration. */
  readonly key: string;
  /** Null where nothing is set. */
  readonly value: string | null;
  /** The file that sets it, as git names it; null where nothing does. */
  readonly origin: string | null;
}

/** Of entries whose commits the ref still leads to, and of the others. Those stay no longer than `reachable` either. */
export interface Retention {
  readonly reachable: TermSetting;
  readonly unreachable: TermSetting;
}

const DAY = 86_400;
const KINDS = { reachable: 'reflogExpire', unreachable: 'reflogExpireUnreachable' } as const;
type Kind = keyof typeof KINDS;
const DEFAULTS: Readonly<Record<Kind, Term>> = {
  reachable: { kind: 'span', seconds: 90 * DAY },
  unreachable: { kind: 'span', seconds: 30 * DAY },
};
const FOREVER: Term = { kind: 'forever' };

/** What the configuration in force says about how long reflog entries stay. */
export class ReflogExpiry {
  /** Whether git writes reflogs at all. */
  readonly isLogging: boolean;
  /** Settings that git does not understand; it refuses to clear away anything for their sake. */
  readonly unclear: readonly { readonly key: string; readonly value: string }[];
  /** What the repository's own configuration file says, whether or not it counts. */
  readonly own: readonly TermSetting[];
  readonly #general: Retention;
  readonly #patterns: readonly { readonly matches: (ref: ByteString) => boolean; readonly retention: Retention }[];

  private constructor(settings: readonly Setting[], isLogging: boolean) {
    this.isLogging = isLogging;
    this.unclear = settings.flatMap(({ key, value, term }) => (term === undefined ? [{ key, value }] : []));
    this.own = settings.flatMap(({ isOwn, term, ...setting }) => (isOwn && term !== undefined ? [{ ...setting, term }] : []));
    this.#general = retention(settings, null, DEFAULTS);
    const patterns = new Set(settings.map(({ pattern }) => pattern).filter((pattern) => pattern !== null));
    // Where a pattern sets only one of the two, git takes the other for never.
    this.#patterns = [...patterns].map((pattern) => ({
      matches: refPattern(pattern),
      retention: retention(settings, pattern, { reachable: FOREVER, unreachable: FOREVER }),
    }));
  }

  static async read(repository: UserRepository): Promise<ReflogExpiry> {
    const { items } = await listGitConfig(repository.top);
    const logging = items.findLast(({ key }) => key === 'core.logallrefupdates');
    const settings = await Promise.all(items.flatMap((item) => settingIn(repository, item)));
    return new ReflogExpiry(settings, logging === undefined || isTrueOrAlways(logging.value));
  }

  /** The first pattern that fits counts; the stash stays unless a pattern says otherwise. */
  of(ref: ByteString): Retention {
    const found = this.#patterns.find(({ matches }) => matches(ref));
    if (found !== undefined) return found.retention;
    if (ref !== 'refs/stash') return this.#general;
    const { reachable, unreachable } = this.#general;
    return { reachable: { ...reachable, term: FOREVER }, unreachable: { ...unreachable, term: FOREVER } };
  }

  /** What holds where no pattern does. */
  get general(): Retention {
    return this.#general;
  }
}

/** The second at which an entry of that time goes; infinite where it stays. */
export const endOf = (term: Term, at: number): number => {
  if (term.kind === 'forever') return Number.POSITIVE_INFINITY;
  if (term.kind === 'span') return at + term.seconds;
  return at < term.second ? at : Number.POSITIVE_INFINITY;
};

/** How many seconds back entries are kept at this moment. */
export const reachOf = (term: Term, now: number): number => {
  if (term.kind === 'forever') return Number.POSITIVE_INFINITY;
  return term.kind === 'span' ? term.seconds : Math.max(0, now - term.second);
};

interface Setting {
  readonly pattern: ByteString | null;
  readonly kind: Kind;
  readonly key: string;
  readonly value: string;
  readonly origin: string;
  readonly isOwn: boolean;
  readonly term: Term | undefined;
}

const settingIn = (repository: UserRepository, { origin, key, value }: ConfigItem): Promise<Setting>[] => {
  const [, pattern = null, name] = /^gc\.(?:(.*)\.)?(reflogexpire|reflogexpireunreachable)$/s.exec(key) ?? [];
  if (name === undefined) return [];
  const kind: Kind = name === 'reflogexpire' ? 'reachable' : 'unreachable';
  const readable = { key: keyOf(pattern as ByteString | null, kind), value: toText(value ?? ('' as ByteString)), origin: toText(origin) };
  const setting = { pattern: pattern as ByteString | null, kind, ...readable, isOwn: isOwnFile(repository, origin) };
  return [termOf(repository, readable.value).then((term) => ({ ...setting, term }))];
};

const isOwnFile = ({ top, commonDirectory }: UserRepository, origin: ByteString): boolean =>
  origin.startsWith('file:') && realPath(resolve(top, origin.slice('file:'.length))) === realPath(below(commonDirectory, 'config'));

const keyOf = (pattern: ByteString | null, kind: Kind): string => `gc.${pattern === null ? '' : `${toText(pattern)}.`}${KINDS[kind]}`;

/** The last one that is understood counts. */
const retention = (settings: readonly Setting[], pattern: ByteString | null, otherwise: Readonly<Record<Kind, Term>>): Retention => {
  const one = (kind: Kind): TermSetting => {
    const found = settings.findLast((setting) => setting.pattern === pattern && setting.kind === kind && setting.term !== undefined);
    const { key, value, origin, term } = found ?? { key: keyOf(pattern, kind), value: null, origin: null, term: undefined };
    return { key, value, origin, term: term ?? otherwise[kind] };
  };
  return { reachable: one('reachable'), unreachable: one('unreachable') };
};

const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: DAY, week: 7 * DAY };
const RELATIVE = /second|minute|hour|day|week|month|year|yesterday|noon|midnight|tea|last/i;

/** Only git knows all the dates that it understands; the usual ones need no question. */
const termOf = async (repository: UserRepository, value: string): Promise<Term | undefined> => {
  if (/^(?:never|false)$/.test(value)) return FOREVER;
  if (/^(?:now|all)$/.test(value)) return { kind: 'span', seconds: 0 };
  const [, number, unit] = /^(\d{1,9})[. ](second|minute|hour|day|week)s?(?:[. ]ago)?$/.exec(value) ?? [];
  if (unit !== undefined) return { kind: 'span', seconds: Number(number) * (UNITS[unit] ?? 0) };
  const asked = ['config', '--type=expiry-date', '--default', value, '--get', 'retake.none'];
  const { code, stdout } = await askGit(repository.top, asked, [1, 2, 3, 128, 129]);
  const second = Number(stdout.toString());
  if (code !== 0 || !Number.isFinite(second)) return undefined;
  const now = Math.floor(Date.now() / 1000);
  return RELATIVE.test(value) || second > now ? { kind: 'span', seconds: Math.max(0, now - second) } : { kind: 'since', second };
};
