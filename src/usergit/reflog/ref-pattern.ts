import type { ByteString } from '../../model/index.ts';

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

const PART = /\\(?<escaped>.)|(?<star>\*)|(?<any>\?)|\[(?<not>[!^]?)(?<set>\]?(?:\[:\w+:\]|\\.|[^\]])*)\]|(?<plain>.)/gs;

/** One byte that fits, or any number of bytes. */
type Part = ((byte: string) => boolean) | 'star';

/** A pattern of ref names with the meaning it has in git's `gc.<pattern>.…`: a star stands for slashes too. */
export const refPattern = (pattern: ByteString): ((ref: ByteString) => boolean) => {
  const parts = [...pattern.matchAll(PART)].map(({ groups = {} }) => partOf(groups));
  return (ref) => fits(parts, ref);
};

const partOf = ({ escaped, star, any, not, set, plain }: Record<string, string | undefined>): Part => {
  if (star !== undefined) return 'star';
  if (any !== undefined) return () => true;
  if (set === undefined) return (byte) => byte === (escaped ?? plain);
  try {
    const compiled = new RegExp(`^[${not === '' ? '' : '^'}${membersOf(set)}]$`, 's');
    return (byte) => compiled.test(byte);
  } catch {
    // A range from its end to its beginning: nothing is in it.
    return () => false;
  }
};

const membersOf = (set: string): string =>
  set.replaceAll(/\[:(\w+):\]|\\(.)|([\][^])/gs, (_, name?: string, escaped?: string, special?: string) =>
    name === undefined ? `\\x${(escaped ?? special ?? '').charCodeAt(0).toString(16).padStart(2, '0')}` : (CLASSES[name] ?? ''),
  );

/** Only the last star is ever tried again, so that no pattern takes long. */
const fits = (parts: readonly Part[], text: string): boolean => {
  let [part, at] = [0, 0];
  let star: { readonly part: number; at: number } | undefined;
  while (at < text.length) {
    const wanted = parts[part];
    if (wanted === 'star') star = { part: ++part, at };
    else if (wanted?.(text[at] as string)) [part, at] = [part + 1, at + 1];
    else if (star !== undefined) [part, at] = [star.part, ++star.at];
    else return false;
  }
  return parts.slice(part).every((rest) => rest === 'star');
};
