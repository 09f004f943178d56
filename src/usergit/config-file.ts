import type { ByteString } from '../model/index.ts';

/** The last value given to each key; null for a key without `=`, which git reads as true. */
export type ConfigValues = ReadonlyMap<string, ByteString | null>;

/**
 * What one configuration file says, by lower-case `section.key` (`section.subsection.key`). It follows no includes, as
 * git does not for the settings that tell what kind of repository this is. Damaged lines are passed over.
 */
export const parseConfig = (text: ByteString): ConfigValues => {
  const values = new Map<string, ByteString | null>();
  let section = '';
  // A section's head may share its line with the first key.
  for (let rest: string = text; rest !== ''; ) {
    const head = SECTION.exec(rest);
    if (head !== null) {
      const [whole, name = '', subsection] = head;
      section = name.toLowerCase() + (subsection === undefined ? '' : `.${subsection.replaceAll(/\\(.)/g, '$1')}`);
      rest = rest.slice(whole.length);
      continue;
    }
    const key = KEY.exec(rest);
    if (key !== null) {
      const [whole, name = '', equals] = key;
      const value = equals === undefined ? { text: null, length: 0 } : readValue(rest, whole.length);
      values.set(`${section}.${name.toLowerCase()}`, value.text as ByteString | null);
      rest = rest.slice(whole.length + value.length);
      continue;
    }
    const end = rest.indexOf('\n');
    rest = end < 0 ? '' : rest.slice(end + 1);
  }
  return values;
};

const SECTION = /^\s*\[([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/;
const KEY = /^\s*([A-Za-z][\w-]*)[ \t]*(?:(=)[ \t]*|(?=\r?\n|[#;]|$))/;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

/** A value ends with its line, unless quoted or continued; spaces at its end do not count outside of quotes. */
const readValue = (text: string, start: number): { text: string; length: number } => {
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
  return { text: value.slice(0, solid), length: at - start };
};

/** git's idea of a boolean. */
export const isTrue = (value: ByteString | null | undefined): boolean =>
  value !== undefined && (value === null || /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value));
