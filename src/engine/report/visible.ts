/**
 * Characters that nobody sees, and that make other text look different from what it is: controls, marks of direction, spaces without
 * width. A joiner inside an emoji is none.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be shown
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The same text with what is hidden in it made visible; line ends and tabs stay. */
export const visible = (text: string): string => text.toWellFormed().replaceAll(/\r\n/g, '\n').replaceAll(HIDDEN, nameOf);

export const visibleLine = (text: string): string =>
  visible(text)
    .replaceAll(/[\t\n]+/g, ' ')
    .trim();

const nameOf = (character: string): string =>
  character === '\r' ? '␍' : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
