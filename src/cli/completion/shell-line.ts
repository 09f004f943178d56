/** How a word is being quoted where the cursor stands. */
type Quote = 'none' | 'single' | 'double';

/** A word of a command line, as it is written and as the shell understands it. */
export interface Word {
  readonly written: string;
  readonly meant: string;
  readonly quote: Quote;
}

/** A command line up to the cursor in words; the last is the one that is being written, and may be empty. Expansions are not made. */
export const wordsOf = (line: string): readonly [Word, ...Word[]] => {
  const words: [Word, ...Word[]] = [{ written: '', meant: '', quote: 'none' }];
  let word: Word | undefined;
  const add = (written: string, meant: string, quote: Quote): void => {
    word = { written: (word?.written ?? '') + written, meant: (word?.meant ?? '') + meant, quote };
  };
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const quote: Quote = word?.quote ?? 'none';
    const next = line.charAt(at + 1);
    if (quote === 'none' && /\s/.test(character)) {
      if (word !== undefined) words.splice(-1, 0, word);
      word = undefined;
    } else if (quote === 'single') add(character, character === "'" ? '' : character, character === "'" ? 'none' : 'single');
    else if (character === '\\' && next !== '' && (quote === 'none' || '$`"\\'.includes(next))) {
      add(character + next, next, quote);
      at++;
    } else if (character === '"') add(character, '', quote === 'double' ? 'none' : 'double');
    else if (character === "'" && quote === 'none') add(character, '', 'single');
    else add(character, character, quote);
  }
  if (word !== undefined) words.splice(-1, 1, word);
  return words;
};

/** A word that begins as the one being written, with what is missing added in the way it is quoted. */
export const writtenOut = ({ written, meant, quote }: Word, whole: string): string => written + ENCODERS[quote](whole.slice(meant.length));

const ENCODERS: Readonly<Record<Quote, (text: string) => string>> = {
  none: (text) => text.replaceAll(/[^\w@%+=:,./\u0080-\u{10ffff}-]/gu, (character) => `\\${character}`),
  single: (text) => text.replaceAll("'", "'\\''"),
  double: (text) => text.replaceAll(/[$`"\\]/g, (character) => `\\${character}`),
};
