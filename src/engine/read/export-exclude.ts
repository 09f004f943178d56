import { IgnoreRules, ignoresWithin } from '../../capture/index.ts';
import { fromText, type RelativePath, ROOT } from '../../model/index.ts';
import type { Settings } from '../settings/settings.ts';

/** Tells which files' contents are to leave in no export and no report. */
export const withheldBy = (settings: Settings): ((path: RelativePath) => boolean) => {
  const rules = IgnoreRules.of([{ base: ROOT, text: fromText(settings['export.exclude'].join('\n')) }], { ignoreCase: false });
  return (path) => ignoresWithin(() => rules, path, false);
};
