/** How a piece of terminal text looks. Colours are `#rrggbb` or the number of one of the sixteen that a palette gives a colour. */
export interface Look {
  readonly colour?: string | number;
  readonly background?: string | number;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isInverse?: boolean;
}

/** Text of one look, and the column that it begins in. */
export interface Piece {
  readonly text: string;
  readonly column: number;
  readonly width: number;
  readonly look: Look;
}

export type Row = readonly Piece[];

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told by
const SEQUENCE = /\u001b\[([0-9;:]*)([A-Za-z])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/**
 * Text as a program prints it to a terminal, or as `tmux capture-pane -ep` gives it, by rows. Colours and styles are understood, all other
 * sequences are left out.
 */
export const readAnsi = (text: string): Row[] => {
  let look: Look = {};
  return text.split('\n').map((line) => {
    const pieces: Piece[] = [];
    let column = 0;
    const add = (added: string): void => {
      if (added === '') return;
      const width = columnsOf(added);
      pieces.push({ text: added, column, width, look });
      column += width;
    };
    let read = 0;
    for (const match of line.matchAll(SEQUENCE)) {
      add(line.slice(read, match.index));
      read = match.index + match[0].length;
      if (match[2] === 'm') look = restyle(look, match[1] ?? '');
    }
    add(line.slice(read));
    return pieces;
  });
};

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROWEST = /\p{Mark}|\u200d|\ufe0f/u;

/** How many columns of a terminal a text takes. */
export const columnsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);

const SWITCHES: Readonly<Record<number, Look>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
};

const restyle = (before: Look, parameters: string): Look => {
  const codes = parameters.split(/[;:]/).map(Number);
  let look = before;
  for (let code = codes.shift(); code !== undefined; code = codes.shift()) {
    if (code === 0) look = {};
    else if (code === 38 || code === 48) {
      const colour = longColour(codes);
      if (colour !== undefined) look = { ...look, [code === 38 ? 'colour' : 'background']: colour };
    } else if (code === 39 || code === 49) {
      const { [code === 39 ? 'colour' : 'background']: _, ...rest } = look;
      look = rest;
    } else look = { ...look, ...(SWITCHES[code] ?? shortColour(code)) };
  }
  return look;
};

const shortColour = (code: number): Look => {
  const [tens, ones] = [Math.floor(code / 10), code % 10];
  if (ones > 7) return {};
  if (tens === 3) return { colour: ones };
  if (tens === 4) return { background: ones };
  if (tens === 9) return { colour: ones + 8 };
  return tens === 10 ? { background: ones + 8 } : {};
};

/** One of 256, or red, green and blue; takes what it reads. */
const longColour = (codes: number[]): string | number | undefined => {
  const kind = codes.shift();
  if (kind === 2) return hex(codes.splice(0, 3));
  if (kind !== 5) return undefined;
  const number = codes.shift() ?? 0;
  if (number < 16) return number;
  if (number >= 232) return hex(Array<number>(3).fill(8 + (number - 232) * 10));
  const level = (place: number): number => [0, 95, 135, 175, 215, 255][Math.floor((number - 16) / place) % 6] ?? 0;
  return hex([level(36), level(6), level(1)]);
};

const hex = (parts: readonly number[]): string => `#${parts.map((part) => (part & 255).toString(16).padStart(2, '0')).join('')}`;
