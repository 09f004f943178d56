import type { ByteString } from '../../model/index.ts';

/** The last value given to each key; null for a key without `=`, which git reads as true. */
export type ConfigValues = ReadonlyMap<string, ByteString | null>;

/**
 * What one configuration file says, by lower-case `section.key` (`section.subsection.key`). It follows no includes, as
 * git does not for the settings that tell what kind of repository this is. Damaged lines are passed over.
 */
export const parseConfig = (text: ByteString): ConfigValues => {
  const values = new Map<string, ByteString | null>();
  let section = '';
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  // A section's head may share its line with the first key.
  for (match(SPACE); at < text.length; match(SPACE)) {
    const head = match(SECTION);
    if (head !== null) {
      section = (head[1] as string).toLowerCase() + (head[2] === undefined ? '' : `.${head[2].replaceAll(/\\(.)/g, '$1')}`);
      continue;
    }
    const key = match(KEY);
    if (key === null) {
      match(REST_OF_LINE);
      continue;
    }
    const value = key[2] === undefined ? { text: null, end: at } : readValue(text, at);
    values.set(`${section}.${(key[1] as string).toLowerCase()}`, value.text as ByteString | null);
    at = value.end;
  }
  return values;
};

const SPACE = /\s*/y;
const SECTION = /\[([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const KEY = /([A-Za-z][\w-]*)[ \t]*(?:(=)[ \t]*|(?=\r?\n|[#;]|$))/y;
const REST_OF_LINE = /[^\n]*/y;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

/** A value ends with its line, unless quoted or continued; spaces at its end do not count outside of quotes. */
const readValue = (text: string, start: number): { text: string; end: number } => {
  let value = '';
  let solid = 0;
  let quoted = false;
  let at = start;
  for (; at < text.length && text[at] !== '\n'; at++) {
    const char = text[at] as string;
    if (char === '\\') {
      at += text.startsWith('\r\n', at + 1) ? 2 : 1;
      value += ESCAPES[text[at] ?? ''] ?? '';
      solid = value.length;
    } else if (char === '"') {
      quoted = !quoted;
      solid = value.length;
    } else if (!quoted && (char === '#' || char === ';')) {
      while (at < text.length && text[at] !== '\n') at++;
      break;
    } else {
      value += char;
      if (quoted || !/\s/.test(char)) solid = value.length;
    }
  }
  return { text: value.slice(0, solid), end: at };
};

/** git's idea of a boolean. */
export const isTrue = (value: ByteString | null | undefined): boolean =>
  value !== undefined && (value === null || /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value));

/** For settings that know a third word, `always`, which is more than true. */
export const isTrueOrAlways = (value: ByteString | null): boolean => isTrue(value) || value?.toLowerCase() === 'always';
