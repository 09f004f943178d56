import { useEffect, useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'retake-theme';

const kept = (): Theme => {
  const value = localStorage.getItem(KEPT);
  return value === 'light' || value === 'dark' ? value : 'system';
};

const system = window.matchMedia('(prefers-color-scheme: dark)');

const show = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
};

show(kept());

/** Light or dark, as the person chose or their system says. */
export const useTheme = (): readonly [Theme, (theme: Theme) => void] => {
  const [theme, setTheme] = useState(kept);
  useEffect(() => {
    show(theme);
    if (theme === 'system') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, theme);
    const follow = (): void => show(theme);
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, [theme]);
  return [theme, setTheme];
};
