import { closeSync, fstatSync, readSync } from 'node:fs';
import { RetakeError } from '../model/index.ts';
import type { WrittenPrompt } from './format.ts';
import { formatOf } from './formats.ts';
import { openForReading } from './line-reader.ts';

/** More than a client writes for a turn that has just begun. */
const END = 4 << 20;

/** The prompts at the end of a session file, oldest first, without reading all of it. Undefined where there is no such file. */
export const promptsWrittenLast = (agent: string, path: string): WrittenPrompt[] | undefined => {
  const lines = lastLines(path);
  const { promptIn } = formatOf(agent);
  return lines?.flatMap((line) => promptIn(line) ?? []);
};

const lastLines = (path: string): string[] | undefined => {
  let fd: number;
  try {
    fd = openForReading(path);
  } catch (error) {
    if (error instanceof RetakeError) return undefined;
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - END);
    const bytes = Buffer.alloc(size - from);
    const count = readSync(fd, bytes, 0, bytes.length, from);
    const lines = bytes.subarray(0, count).toString('utf8').split('\n');
    // What it begins with is the rest of a line.
    return from === 0 ? lines : lines.slice(1);
  } finally {
    closeSync(fd);
  }
};
