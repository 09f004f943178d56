/**
 * Edits a JSON text where it is to change and nowhere else: spelling of numbers, order of keys, blanks and line ends stay as
 * somebody wrote them. Takes only texts that JSON.parse accepts.
 */

/** A member of an object, or of an array (then without a key), by its positions in the text. */
export interface Member {
  readonly key: string | null;
  readonly start: number;
  /** Where its value begins. */
  readonly value: number;
  readonly end: number;
}

export interface Container {
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

/** How the text is laid out, for what is added to it. */
export interface Layout {
  readonly lineEnd: string;
  readonly indent: string;
  readonly isOneLine: boolean;
}

const BLANKS = ' \t\n\r\uFEFF';

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && BLANKS.includes(text[at] as string)) at++;
  return at;
};

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/** By counting brackets, so that no depth is too deep. */
const endOfValue = (text: string, start: number): number => {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else {
      if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') depth--;
      at++;
      if (depth === 0 && character !== '}' && character !== ']') return endOfWord(text, at);
    }
  } while (depth > 0 && at < text.length);
  return at;
};

/** A number, or true, false, null. */
const endOfWord = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && !`,]}${BLANKS}`.includes(text[at] as string)) at++;
  return at;
};

/** The outermost object or array. */
export const readRoot = (text: string): Container => readContainer(text, skipBlanks(text, 0));

export const readContainer = (text: string, start: number): Container => {
  const isObject = text[start] === '{';
  const members: Member[] = [];
  let at = skipBlanks(text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const keyEnd = isObject ? endOfString(text, at) : at;
    const value = isObject ? skipBlanks(text, skipBlanks(text, keyEnd) + 1) : at;
    const end = endOfValue(text, value);
    members.push({ key: isObject ? (JSON.parse(text.slice(at, keyEnd)) as string) : null, start: at, value, end });
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return { start, end: at + 1, members };
};

export const readLayout = (text: string): Layout => {
  const root = readRoot(text);
  const first = root.members[0];
  const lead = first === undefined ? '\n  ' : text.slice(root.start + 1, first.start);
  return {
    lineEnd: /\r?\n/.exec(text)?.[0] ?? '\n',
    indent: lead.includes('\n') ? afterLastNewline(lead) : '  ',
    isOneLine: first !== undefined && !text.slice(root.start, root.end).includes('\n'),
  };
};

const afterLastNewline = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

export const splice = (text: string, start: number, end: number, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(end);

/** Adds a member at the end of a container, written as its neighbours are. */
export const appendMember = (text: string, container: Container, key: string | null, value: unknown, layout: Layout): string => {
  const last = container.members.at(-1);
  if (last !== undefined) {
    const previous = container.members.at(-2);
    const gap = text.slice(previous === undefined ? container.start + 1 : text.indexOf(',', previous.end) + 1, last.start);
    return splice(text, last.end, last.end, `,${gap}${render(key, value, gap.includes('\n') ? afterLastNewline(gap) : null, layout)}`);
  }
  const outer = /^[ \t]*/.exec(afterLastNewline(text.slice(0, container.start)))?.[0] ?? '';
  const inner = outer + layout.indent;
  const content = layout.isOneLine
    ? render(key, value, null, layout)
    : `${layout.lineEnd}${inner}${render(key, value, inner, layout)}${layout.lineEnd}${outer}`;
  return splice(text, container.start + 1, container.end - 1, content);
};

/** On lines of their own below `indent`, or on one line without. */
const render = (key: string | null, value: unknown, indent: string | null, layout: Layout): string => {
  const name = key === null ? '' : `${JSON.stringify(key)}:${indent === null ? '' : ' '}`;
  if (indent === null) return name + JSON.stringify(value);
  return name + JSON.stringify(value, null, layout.indent).replaceAll('\n', layout.lineEnd + indent);
};

/** Takes one of several members out: what `appendMember` did to its neighbours is undone exactly. */
export const removeMember = (text: string, container: Container, member: Member): string => {
  const at = container.members.indexOf(member);
  const previous = container.members[at - 1];
  if (previous !== undefined) return splice(text, previous.end, member.end, '');
  return splice(text, member.start, container.members[at + 1]?.start ?? member.end, '');
};

/** What stands between the brackets. */
export const contentOf = (text: string, container: Container): string => text.slice(container.start + 1, container.end - 1);

export const replaceContent = (text: string, container: Container, content: string): string =>
  splice(text, container.start + 1, container.end - 1, content);
