import { readFileSync, readlinkSync } from 'node:fs';

/** A process, told from later ones with the same number. */
export interface ProcessName {
  readonly pid: number;
  /** When it began, in ticks since the system did. */
  readonly start: string;
}

interface ProcessStat extends ProcessName {
  readonly command: string;
  readonly state: string;
  readonly parent: number;
}

/** What the system tells of a process; undefined where there is none, or the system does not tell. */
const processStat = (pid: number): ProcessStat | undefined => {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  const [, command = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  const [state = '', parent = ''] = rest.split(' ');
  return { pid, command, state, parent: Number(parent), start: rest.split(' ')[19] ?? '' };
};

const SHELLS: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'zsh', 'ash', 'ksh', 'busybox', 'fish']);

/** A script goes by its own name: only the program that reads it tells that it is one. */
const isShell = ({ pid, command }: ProcessStat): boolean => {
  if (SHELLS.has(command)) return true;
  try {
    const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
    return SHELLS.has(program.slice(program.lastIndexOf('/') + 1));
  } catch {
    return false;
  }
};

/**
 * Who runs this process, by itself or by way of shells and their scripts, which end when it does; undefined where the system does not tell.
 * Agents have a shell run their hooks, and that our own scripts.
 */
export const runner = (): ProcessName | undefined => {
  let one = processStat(process.ppid);
  while (one !== undefined && isShell(one)) one = processStat(one.parent);
  return one && { pid: one.pid, start: one.start };
};

/** Whether a process is known to have ended. */
export const hasEnded = ({ pid, start }: ProcessName): boolean => {
  // Where the system tells nothing of any process, nothing is known.
  if (processStat(process.pid) === undefined) return false;
  const stat = processStat(pid);
  return stat === undefined || stat.start !== start || stat.state === 'Z' || stat.state === 'X';
};
