import { dirname } from 'node:path';
import { appendLine, sizeOf } from '../host/append.ts';
import * as effects from '../host/effects.ts';
import { readIfExists } from '../host/files.ts';
import { systemCode } from '../model/errors.ts';
import { troubleFile } from './place.ts';

/** What could not be recorded. Hooks tell nobody themselves, because no agent may fail for our sake. */
export interface Trouble {
  readonly at: string;
  readonly agent: string;
  readonly problem: string;
  /** Where the agent works, as far as its event could be read. */
  readonly directory?: string;
}

/** Beyond this, another file is begun and the one before the last given up: what is new has to be heard of, however much there was. */
const LARGEST = 1_000_000;

const earlierFile = (): string => `${troubleFile()}.earlier`;

export const noteTrouble = ({ agent, problem, ...rest }: Omit<Trouble, 'at'>): void => {
  const path = troubleFile();
  if (sizeOf(path) >= LARGEST) beginAnother(path);
  effects.makeDirectories(dirname(path), 0o700);
  const trouble: Trouble = { at: new Date().toISOString(), agent: agent.slice(0, 100), problem: problem.slice(0, 1000), ...rest };
  appendLine(path, JSON.stringify(trouble));
};

/** Others may do the same at once: what one takes away is looked at again where nobody else has it, and a file just begun is put back. */
const beginAnother = (path: string): void => {
  const taken = `${path}.${process.pid}`;
  try {
    effects.rename(path, taken);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  if (sizeOf(taken) >= LARGEST) {
    effects.rename(taken, earlierFile());
    return;
  }
  const notes = readIfExists(taken)?.toString().trimEnd() ?? '';
  if (notes !== '') appendLine(path, notes);
  effects.unlink(taken);
};

/** Oldest first; what is no trouble of ours, or not for us to read, is skipped. */
export const readTrouble = (): Trouble[] => {
  try {
    return [earlierFile(), troubleFile()].flatMap((path) => (readIfExists(path)?.toString() ?? '').split('\n').flatMap(parse));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
};

const parse = (line: string): Trouble[] => {
  try {
    const { at, agent, problem, directory } = JSON.parse(line);
    return [{ at: String(at), agent: String(agent), problem: String(problem), ...(directory ? { directory: String(directory) } : {}) }];
  } catch {
    return [];
  }
};
