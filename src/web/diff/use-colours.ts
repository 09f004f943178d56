import { useEffect, useMemo, useState } from 'react';
import type { DiffHunk } from '../client/types.ts';
import { Colours, type Highlight } from './colours.ts';
import { languageOf } from './language.ts';

let loaded: Highlight | undefined;

/** The colours of a file's lines; none before the grammars are there, and none for what has none. */
export const useColours = (path: string, hunks: readonly DiffHunk[]): Colours | null => {
  const language = languageOf(path);
  const [highlight, setHighlight] = useState(() => loaded);
  useEffect(() => {
    if (language === undefined || loaded !== undefined) return;
    let isWanted = true;
    void import('./highlighter.ts').then(({ highlight: own }) => {
      loaded = own;
      if (isWanted) setHighlight(() => own);
    });
    return () => {
      isWanted = false;
    };
  }, [language]);
  return useMemo(
    () => (highlight === undefined || language === undefined ? null : new Colours(highlight, language, hunks)),
    [highlight, language, hunks],
  );
};
