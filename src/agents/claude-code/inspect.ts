import { exists, readIfExists } from '../../host/index.ts';
import { filesOf } from '../hook-command.ts';
import type { InstalledHooks } from '../setup.ts';
import { EVENT_NAMES } from './hook-events.ts';
import { AGENT, projectSettings, sharedSettings, userSettings } from './places.ts';
import { areHooksDisabled, enabledPlugins, findHooks, isUsable } from './settings-text.ts';

interface Source {
  readonly scope: InstalledHooks['scope'];
  readonly file: string;
  readonly text: string;
}

/** Where hooks of ours are, for sessions in a workspace, and whether they can work. */
export const inspectClaudeCode = (root: string): InstalledHooks[] => {
  const sources = [
    ...readSource('user', userSettings()),
    ...readSource('shared', sharedSettings(root)),
    ...readSource('project', projectSettings(root)),
  ];
  const decider = sources.findLast(({ text }) => areHooksDisabled(text) !== undefined);
  const disabledBy = decider !== undefined && areHooksDisabled(decider.text) ? decider.file : null;
  return [...sources.flatMap(hooksIn), ...pluginIn(sources)].map((found) => ({ agent: AGENT, ...found, disabledBy }));
};

/** Whoever only looks is not bothered with what setup would refuse: Claude Code does not use such a file either. */
const readSource = (scope: Source['scope'], file: string): Source[] => {
  try {
    const text = readIfExists(file)?.toString();
    return text === undefined || !isUsable(text) ? [] : [{ scope, file, text }];
  } catch {
    return [];
  }
};

type Found = Omit<InstalledHooks, 'agent' | 'disabledBy'>;

const hooksIn = ({ scope, file, text }: Source): Found[] => {
  const hooks = findHooks(text);
  if (hooks.length === 0) return [];
  const events = new Set(hooks.map(({ event }) => event));
  const needed = new Set(hooks.flatMap(({ command }) => filesOf(command, AGENT)));
  return [
    {
      by: 'settings',
      scope,
      file,
      missingEvents: EVENT_NAMES.filter((event) => !events.has(event)),
      missingFiles: [...needed].filter((path) => !exists(path)),
    },
  ];
};

/** Our plugin, where the last file that speaks of it turns it on. */
const pluginIn = (sources: readonly Source[]): Found[] => {
  const isOn = ({ text }: Source): boolean | undefined => enabledPlugins(text).findLast(([name]) => name.startsWith('retake@'))?.[1];
  const decider = sources.findLast((source) => isOn(source) !== undefined);
  if (decider === undefined || !isOn(decider)) return [];
  return [{ by: 'plugin', scope: decider.scope, file: decider.file, missingEvents: [], missingFiles: [] }];
};
