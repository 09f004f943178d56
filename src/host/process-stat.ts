import { readFileSync } from 'node:fs';

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

/** Who runs this process, by itself or by a shell; undefined where the system does not tell. */
export const runner = (): ProcessName | undefined => {
  const parent = processStat(process.ppid);
  const one = parent !== undefined && SHELLS.has(parent.command) ? processStat(parent.parent) : parent;
  return one && { pid: one.pid, start: one.start };
};

/** Whether a process is known to have ended. */
export const hasEnded = ({ pid, start }: ProcessName): boolean => {
  // Where the system tells nothing of any process, nothing is known.
  if (processStat(process.pid) === undefined) return false;
  const stat = processStat(pid);
  return stat === undefined || stat.start !== start || stat.state === 'Z' || stat.state === 'X';
};
