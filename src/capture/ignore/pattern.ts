import type { ByteString } from '../../model/index.ts';

/** One line of a rule file, taken apart but not yet compiled. */
export interface Pattern {
  /** `!`: what matches is not ignored. */
  readonly negated: boolean;
  /** A trailing `/`: only directories match. */
  readonly directoryOnly: boolean;
  readonly shape: Shape;
}

/** How a pattern is compared. Texts are as written in the file; the paths are relative to the rule file's directory. */
type Shape =
  /** The last part of the path is exactly this. */
  | { readonly kind: 'name'; readonly name: string }
  /** The last part of the path ends with this. */
  | { readonly kind: 'suffix'; readonly suffix: string }
  /** The last part of the path matches a glob. */
  | { readonly kind: 'name-glob'; readonly glob: string }
  /** The whole path is exactly this. */
  | { readonly kind: 'path'; readonly path: string }
  /** The path begins with `prefix`, and what follows matches a glob of its own. */
  | { readonly kind: 'path-glob'; readonly prefix: string; readonly glob: string };

const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** The patterns of a rule file, in their order; lines that cannot match anything are left out. */
export const parsePatterns = (text: ByteString): Pattern[] =>
  (text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map(parseLine)
    .filter((pattern) => pattern !== undefined);

const parseLine = (line: string): Pattern | undefined => {
  let body = withoutTrailingSpaces(untilNul(line.endsWith('\r') ? line.slice(0, -1) : line));
  const negated = body.startsWith('!');
  if (negated) body = body.slice(1);
  const directoryOnly = body.endsWith('/');
  if (directoryOnly) body = body.slice(0, -1);
  const shape = shapeOf(body);
  return shape && { negated, directoryOnly, shape };
};

/** Git reads a line as a C string. */
const untilNul = (line: string): string => {
  const nul = line.indexOf('\0');
  return nul < 0 ? line : line.slice(0, nul);
};

/** Drops the spaces at the end, up to one that a backslash protects. A lone backslash at the end protects all of them. */
const withoutTrailingSpaces = (line: string): string => {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') {
      at++;
      if (at === line.length) return line;
      end = at + 1;
    } else if (line[at] !== ' ') {
      end = at + 1;
    }
  }
  return line.slice(0, end);
};

const SPECIAL = /[*?[\\]/;

/** `**` parts before a last part say "at any depth", which is what a pattern without a slash says. */
const ANYWHERE = /^(?:\*{2,}\/)+(?=[^/]+$)/;

const shapeOf = (body: string): Shape | undefined => {
  if (!body.includes('/')) return nameShape(body);
  const path = body.startsWith('/') ? body.slice(1) : body;
  const anywhere = ANYWHERE.exec(path);
  if (anywhere !== null) return nameShape(path.slice(anywhere[0].length));
  if (path === '') return undefined;
  const special = path.search(SPECIAL);
  if (special < 0) return { kind: 'path', path };
  // Git compares the literal beginning apart from the glob, and that shows: the glob of `a**/b` begins with `**/`.
  return { kind: 'path-glob', prefix: path.slice(0, special), glob: path.slice(special) };
};

const nameShape = (body: string): Shape | undefined => {
  if (body === '') return undefined;
  if (!SPECIAL.test(body)) return { kind: 'name', name: body };
  if (body.length > 1 && body.startsWith('*') && !SPECIAL.test(body.slice(1))) return { kind: 'suffix', suffix: body.slice(1) };
  return { kind: 'name-glob', glob: body };
};
