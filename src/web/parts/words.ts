/** Numbers, times and names as people read them. */

const NUMBER = new Intl.NumberFormat('en');

export const number = (value: number): string => NUMBER.format(value);

/** `3 files`, `1 file`. */
export const count = (value: number, one: string, many = `${one}s`): string => `${number(value)} ${value === 1 ? one : many}`;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

export const bytes = (value: number): string => {
  const step = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1);
  const shown = value / 1000 ** step;
  return step === 0 ? count(value, 'byte') : `${shown.toFixed(shown < 10 ? 1 : 0)} ${UNITS[step]}`;
};

const STEPS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `5 minutes ago`, `in 12 days`. */
export const relativeTime = (iso: string, now = Date.now()): string => {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [size, unit] = STEPS.find(([least]) => Math.abs(seconds) >= least) ?? [1, 'second'];
  return unit === 'second' ? (seconds > 5 ? 'in a moment' : 'just now') : RELATIVE.format(Math.round(seconds / size), unit);
};

const ABSOLUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export const absoluteTime = (iso: string): string => ABSOLUTE.format(new Date(iso));

export const shortId = (id: string): string => id.slice(0, 8);

/**
 * Text that came from files, prompts or names, on one line and with what a person can not see made visible: nothing of it turns the line around
 * or hides a part of it.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (character) =>
    character === '\n'
      ? '⏎'
      : character === '\t'
        ? '→'
        : character.charCodeAt(0) < 32
          ? String.fromCharCode(0x2400 + character.charCodeAt(0))
          : '\ufffd',
  );

/** The same for a text that keeps its lines and tabs. */
export const visibleLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : visible(part)))
    .join('');
