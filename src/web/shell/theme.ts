import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'retake-theme';

const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const read = (): Theme => {
  const value = localStorage.getItem(KEPT);
  return value === 'light' || value === 'dark' ? value : 'system';
};

let theme = read();

const isDarkNow = (): boolean => theme === 'dark' || (theme === 'system' && system.matches);

const show = (): void => {
  document.documentElement.dataset.theme = isDarkNow() ? 'dark' : 'light';
  for (const listener of listeners) listener();
};

const setTheme = (chosen: Theme): void => {
  theme = chosen;
  if (chosen === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, chosen);
  show();
};

system.addEventListener('change', show);
show();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Light or dark, as the person chose or their system says; the same for all who ask. */
export const useTheme = (): { readonly theme: Theme; readonly isDark: boolean; readonly setTheme: (theme: Theme) => void } => ({
  theme: useSyncExternalStore(subscribe, () => theme),
  isDark: useSyncExternalStore(subscribe, isDarkNow),
  setTheme,
});
