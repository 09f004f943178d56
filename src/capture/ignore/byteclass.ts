export const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const OPEN = 0x5b;
const COLON = 0x3a;
const DASH = 0x2d;

type ByteTest = (byte: number) => boolean;

const between =
  (low: string, high: string): ByteTest =>
  (byte) =>
    byte >= low.charCodeAt(0) && byte <= high.charCodeAt(0);

const oneOf =
  (...tests: readonly ByteTest[]): ByteTest =>
  (byte) =>
    tests.some((test) => test(byte));

const digit = between('0', '9');
const lower = between('a', 'z');
const upper = between('A', 'Z');

/** Git's own idea of these classes: ASCII only in every locale, and vertical tab and form feed are no spaces. */
const NAMED: ReadonlyMap<string, ByteTest> = new Map<string, ByteTest>([
  ['alnum', oneOf(digit, lower, upper)],
  ['alpha', oneOf(lower, upper)],
  ['blank', (byte) => byte === 0x20 || byte === 0x09],
  ['cntrl', (byte) => byte < 0x20 || byte === 0x7f],
  ['digit', digit],
  ['graph', between('!', '~')],
  ['lower', lower],
  ['print', between(' ', '~')],
  ['punct', oneOf(between('!', '/'), between(':', '@'), between('[', '`'), between('{', '~'))],
  ['space', (byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d],
  ['upper', upper],
  ['xdigit', oneOf(digit, between('a', 'f'), between('A', 'F'))],
]);

interface ByteClass {
  /** 1 for each byte that belongs. Never `/`: no class reaches across directories. */
  readonly members: Uint8Array;
  /** The index after the closing bracket. */
  readonly end: number;
}

/**
 * The `[...]` that opens at `open`; undefined when it is malformed, which makes the whole pattern match nothing.
 *
 * With `ignoreCase` the members are meant for case-folded text. As in git, ranges and `[:upper:]` then also accept the
 * lower case of what they hold, but single upper-case letters do not: `[A-B]` accepts `a`, `[AB]` does not.
 */
export const parseByteClass = (pattern: string, open: number, ignoreCase: boolean): ByteClass | undefined => {
  const members = new Uint8Array(256);
  const add = (test: ByteTest): void => {
    for (let byte = 0; byte < 256; byte++) {
      if (test(byte) || (ignoreCase && lower(byte) && test(byte - 0x20))) members[byte] = 1;
    }
  };

  const negated = pattern[open + 1] === '!' || pattern[open + 1] === '^';
  const first = open + (negated ? 2 : 1);
  let rangeStart: number | undefined;
  let at = first;
  while (at < pattern.length) {
    let byte = pattern.charCodeAt(at);
    if (byte === CLOSE && at > first) return { members: finish(members, negated), end: at + 1 };

    if (byte === DASH && rangeStart !== undefined && at + 1 < pattern.length && pattern.charCodeAt(at + 1) !== CLOSE) {
      at += pattern.charCodeAt(at + 1) === BACKSLASH ? 2 : 1;
      const [low, high] = [rangeStart, pattern.charCodeAt(at)];
      add((candidate) => candidate >= low && candidate <= high);
      rangeStart = undefined;
      at++;
      continue;
    }

    if (byte === OPEN && pattern.charCodeAt(at + 1) === COLON) {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && pattern.charCodeAt(close - 1) === COLON) {
        const named = NAMED.get(pattern.slice(at + 2, close - 1));
        if (named === undefined) return undefined;
        add(named);
        rangeStart = undefined;
        at = close + 1;
        continue;
      }
    }

    // Past the end this reads no byte at all, and the loop ends with a class that was never closed.
    if (byte === BACKSLASH) byte = pattern.charCodeAt(++at);
    members[byte] = 1;
    rangeStart = byte;
    at++;
  }
  return undefined;
};

const finish = (members: Uint8Array, negated: boolean): Uint8Array => {
  const finished = negated ? members.map((member) => 1 - member) : members;
  finished[SLASH] = 0;
  return finished;
};
