import { appendLine, effects, readIfExists, sizeOf } from '../../host/index.ts';
import type { SlowOperation } from './stopwatch.ts';

/** When the log is this long, it becomes `<file>.1` and a new one begins. */
const LARGEST = 200_000;

export const noteSlow = (path: string, slow: SlowOperation): void => {
  try {
    if (sizeOf(path) >= LARGEST) effects.rename(path, `${path}.1`);
    appendLine(path, JSON.stringify(slow));
  } catch {
    // It is only for looking at.
  }
};

/** The newest first. Lines that are torn or not ours are passed over. */
export const readSlow = (path: string, most: number): SlowOperation[] => {
  const newest = linesOf(path);
  const lines = newest.length >= most ? newest : [...linesOf(`${path}.1`), ...newest];
  return lines
    .flatMap(parsed)
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, most);
};

const linesOf = (path: string): string[] => {
  try {
    return (readIfExists(path)?.toString() ?? '').split('\n');
  } catch {
    return [];
  }
};

const parsed = (line: string): SlowOperation[] => {
  try {
    const value = JSON.parse(line);
    const isOurs =
      typeof value?.at === 'string' &&
      typeof value.kind === 'string' &&
      typeof value.ms === 'number' &&
      typeof value.phases === 'object' &&
      Array.isArray(value.reasons) &&
      typeof value.amounts === 'object';
    return isOurs ? [value] : [];
  } catch {
    return [];
  }
};
