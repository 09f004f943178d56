import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 700px)');

const follow = (onChange: () => void): (() => void) => {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
};

/** Whether the window is too narrow for a drawing. */
export const useIsNarrow = (): boolean => useSyncExternalStore(follow, () => narrow.matches);
