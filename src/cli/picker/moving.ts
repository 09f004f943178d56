/** What was typed may be several letters, where they came at once. */
export type Key = { readonly is: 'text' | 'pasted'; readonly text: string } | { readonly is: KeyName };

type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'page-up'
  | 'page-down'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-o'
  | 'ctrl-r'
  | 'ctrl-u';

/** How far a key moves, in rows; null for other keys. */
export const strideOf = (key: Key, page: number): number | null => {
  switch (key.is) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'page-up':
      return -Math.max(1, page - 1);
    case 'page-down':
      return Math.max(1, page - 1);
    case 'home':
      return Number.NEGATIVE_INFINITY;
    case 'end':
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
};

/** Not beyond the ends. */
export const within = (at: number, last: number): number => Math.min(Math.max(0, at), Math.max(0, last));
