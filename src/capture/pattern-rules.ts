import { fromText, ROOT } from '../model/index.ts';
import { IgnoreRules } from './ignore/rules.ts';

const known = new Map<string, IgnoreRules>();
const MOST_KNOWN = 16;

/** The patterns of a setting, written as in `.gitignore` and counted from the workspace's root. They are the same ones nearly every time. */
export const patternRules = (patterns: readonly string[], { ignoreCase }: { readonly ignoreCase: boolean }): IgnoreRules => {
  const text = patterns.join('\n');
  const key = `${ignoreCase} ${text}`;
  const rules = known.get(key) ?? IgnoreRules.of([{ base: ROOT, text: fromText(text) }], { ignoreCase });
  if (!known.has(key) && known.size >= MOST_KNOWN) known.clear();
  known.set(key, rules);
  return rules;
};
