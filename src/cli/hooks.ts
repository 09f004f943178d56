import type { InstalledHooks } from '../agents/setup.ts';
import { hint, oneLine, paint, print } from './output.ts';

/** Which agents tell Retake what they do here, and what keeps them from it. */
export const printHooks = (installed: readonly InstalledHooks[]): void => {
  if (installed.length === 0) hint('No hooks in the settings of an agent: retake setup claude-code');
  for (const { agent, by, scope, file, missingEvents, missingFiles, disabledBy } of installed) {
    print(`Hooks       ${agent}, ${scope}${by === 'plugin' ? ' plugin' : ''}: ${oneLine(file)}`);
    const again = `run again: retake setup ${agent}${scope === 'project' ? ' --project' : ''}`;
    for (const path of missingFiles) print(paint('red', `            they need ${oneLine(path)}, which is gone; ${again}`));
    if (missingEvents.length > 0) print(paint('yellow', `            not told of ${missingEvents.join(', ')}; ${again}`));
    if (disabledBy !== null) print(paint('red', `            turned off by disableAllHooks in ${oneLine(disabledBy)}`));
  }
};
