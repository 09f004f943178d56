import type { GitConcern, GitVerdict, MendPlan, MendResult, Status } from '../engine/index.ts';
import { hint, oneLine, paint, print } from './output.ts';

const COLOURS = { good: 'green', warning: 'yellow', critical: 'red' } as const;

export const paintVerdict = (verdict: GitVerdict): string => paint(COLOURS[verdict], verdict);

/** One line for `status`, when the last look found something. */
export const printHealthWarning = (subject: 'Git' | 'Store', health: Status['gitHealth']): void => {
  const worst = health?.concerns.find(({ verdict }) => verdict === health.verdict);
  if (health === null || worst === undefined) return;
  print(`${subject.padEnd(12)}${paintVerdict(health.verdict)}: ${oneLine(worst.reason)}; retake health tells more`);
};

export const printGitHealth = (verdict: GitVerdict, concerns: readonly GitConcern[]): void => {
  print(`Git keeps what was left behind: ${paintVerdict(verdict)}`);
  printConcerns(concerns);
};

export const printConcerns = (concerns: readonly GitConcern[]): void => {
  for (const { verdict, reason, command } of concerns) {
    print(`  ${paintVerdict(verdict)}  ${oneLine(reason)}`);
    if (command !== null) print(`           ${oneLine(command)}`);
  }
};

export const printMendPlan = ({ changed }: MendPlan): void => {
  if (changed.length === 0) print(NOTHING_TO_SET);
  for (const { key, before, after } of changed) print(`Would set ${key}: ${oneLine(before ?? "git's default")} → ${after}`);
};

const NOTHING_TO_SET = "Nothing to set in the repository's own configuration";

export const printMended = ({ before, after, changed, overriding }: MendResult): void => {
  if (changed.length === 0) print(NOTHING_TO_SET);
  for (const { key, before: old, after: set } of changed)
    print(`${paint('green', 'Set')} ${key}: ${oneLine(old ?? "git's default")} → ${set}`);
  for (const setting of overriding) print(`${paint('yellow', 'Still counts, and is shorter:')} ${oneLine(setting)}`);
  printGitHealth(after.verdict, after.concerns);
  if (before.verdict !== after.verdict) hint(`Before: ${before.verdict}`);
};
