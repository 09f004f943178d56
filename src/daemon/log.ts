import { appendLine, effects, now, sizeOf } from '../host/index.ts';

export type Log = (line: string) => void;

const LARGEST = 1_000_000;

/** Writes lines with their time to a file; when it is full it becomes `<file>.1` and a new one begins. */
export const openLog =
  (path: string): Log =>
  (line) => {
    try {
      if (sizeOf(path) >= LARGEST) effects.rename(path, `${path}.1`);
      // What follows the first line is indented, so that no text within can pass for an entry.
      appendLine(path, `${now().toISOString()} [${process.pid}] ${line.replaceAll(/[\r\n]+/g, '\n    ')}`);
    } catch {
      // A disk that takes no log is no reason to stop working for those who ask.
    }
  };

export const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
