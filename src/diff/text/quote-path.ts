import type { ByteString } from '../../model/index.ts';

const LETTERS: Readonly<Record<string, string>> = {
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control bytes are what has to be quoted
const SPECIAL = /[\x00-\x1f"\\\x7f-\xff]/g;

/** As git writes a path in a patch (`core.quotePath`): as it is, or in quotes with every special byte escaped. */
export const quotePath = (path: ByteString): ByteString => {
  const escaped = path.replace(SPECIAL, (byte) => `\\${LETTERS[byte] ?? byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return (escaped === path ? path : `"${escaped}"`) as ByteString;
};
