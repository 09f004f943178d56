import type { Key as InkKey } from 'ink';
import type { Key } from './moving.ts';

const NAMED: readonly (readonly [keyof InkKey, Key])[] = [
  ['upArrow', { is: 'up' }],
  ['downArrow', { is: 'down' }],
  ['leftArrow', { is: 'left' }],
  ['rightArrow', { is: 'right' }],
  ['pageUp', { is: 'page-up' }],
  ['pageDown', { is: 'page-down' }],
  ['home', { is: 'home' }],
  ['end', { is: 'end' }],
  ['return', { is: 'enter' }],
  ['escape', { is: 'escape' }],
  ['tab', { is: 'tab' }],
  ['backspace', { is: 'backspace' }],
  ['delete', { is: 'backspace' }],
];

const CONTROLLED: Readonly<Record<string, Key>> = {
  c: { is: 'ctrl-c' },
  d: { is: 'ctrl-d' },
  h: { is: 'backspace' },
  o: { is: 'ctrl-o' },
  r: { is: 'ctrl-r' },
  u: { is: 'ctrl-u' },
};

/** What was pressed, in the picker's words. Keys that came at once are told apart; what is no key of ours is nothing. */
export const keysFrom = (input: string, key: InkKey): Key[] => {
  const named = NAMED.find(([name]) => key[name]);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return controlled(input);
  if (key.meta) return [];
  return input.split(CONTROL).flatMap((part): Key[] => {
    if (part === '\r' || part === '\n') return [{ is: 'enter' }];
    if (part === '\t') return [{ is: 'tab' }];
    if (part === '') return [];
    const code = part.charCodeAt(0);
    return code < FIRST_PRINTED
      ? controlled(String.fromCharCode(code + BEFORE_LETTERS))
      : [{ is: 'text', text: part.replaceAll(CONTROLS, ' ') }];
  });
};

const controlled = (letter: string): Key[] => (Object.hasOwn(CONTROLLED, letter) ? [CONTROLLED[letter] as Key] : []);

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what keys with Ctrl send
const CONTROL = /([\u0000-\u001f])/;
const FIRST_PRINTED = 0x20;
/** From what Ctrl with a letter sends to the letter. */
const BEFORE_LETTERS = 0x60;

// biome-ignore lint/suspicious/noControlCharactersInRegex: nobody types them as text
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Text that was pasted, however many lines it has: nothing of it is a key. */
export const pasted = (text: string): Key[] => {
  const clean = text.replaceAll(CONTROLS, ' ');
  return clean === '' ? [] : [{ is: 'pasted', text: clean }];
};
