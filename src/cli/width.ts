import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/** One column each, whatever stands beside them: most of Latin, and the signs that we draw with. */
const PLAIN = /^[ -~¡-¬®-ʯ‐-‧‹›←-↓─-▟]*$/;

/** Read from all of Unicode, which takes as long as everything else at the start of a program: made when a text needs them. */
const makeSigns = () => ({
  segmenter: new Intl.Segmenter(undefined, { granularity: 'grapheme' }),
  seen: /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/v,
  emoji: /^(?:\p{RGI_Emoji}|[\d#*]\u20e3|\p{Extended_Pictographic}.*\u200d\p{Extended_Pictographic}.*)$/v,
  /** Beside the sign that they go with, they take room of their own. */
  besides: /\p{Spacing_Mark}|[\uff00-\uffef]/v,
});
let signs: ReturnType<typeof makeSigns> | undefined;
const allSigns = () => (signs ??= makeSigns());

/** How many columns of a terminal a text takes, colours aside. */
export const widthOf = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  const bare = stripVTControlCharacters(text);
  if (PLAIN.test(bare)) return bare.length;
  // Letters that are written in parts, as some systems name files, take the room of the whole ones.
  return [...charactersOf(bare.toWellFormed().normalize())].reduce((sum, character) => sum + widthOfCharacter(character), 0);
};

const widthOfCharacter = (character: string): number => {
  const { seen, emoji, besides } = allSigns();
  const from = character.search(seen);
  if (from < 0) return 0;
  // No emoji is longer; what is may be made to keep us busy.
  if (character.length < 50 && emoji.test(character)) return 2;
  const [first = '', ...others] = character.slice(from);
  return others.filter((other) => besides.test(other)).reduce((sum, other) => sum + columnsOf(other), columnsOf(first));
};

const columnsOf = (sign: string): number => eastAsianWidth(sign.codePointAt(0) ?? 0);

/** What people take for one character, however many code points it is made of. */
const charactersOf = function* (text: string): Generator<string> {
  for (const { segment } of allSigns().segmenter.segment(text)) yield segment;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours stay whole, whatever is cut
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** At most so many columns of a text, with … where something is missing; colours that were begun are ended. */
export const cutTo = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  let left = columns - 1;
  let isFull = false;
  const take = (part: string): string => {
    if (COLOUR.test(part)) return part;
    let taken = '';
    for (const character of isFull ? [] : charactersOf(part)) {
      left -= widthOf(character);
      isFull = left < 0;
      if (isFull) return `${taken}…`;
      taken += character;
    }
    return taken;
  };
  return text.split(COLOUR).map(take).join('');
};
