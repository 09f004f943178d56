import type { KeepPlan, KeepResult, RecoveryInGit } from '../engine/index.ts';
import { keepJson, keptJson } from './keep.ts';

/** The commits that a recovery is to become: null while that can not be told, and nothing where none were asked for. */
export const recoveryCommitsJson = (planned: RecoveryInGit<KeepPlan>) => commitsJson(planned, keepJson);

/** The same when they are made. */
export const recoveryCommittedJson = (made: RecoveryInGit<KeepResult>) => commitsJson(made, keptJson);

const commitsJson = <T extends object, J extends ReturnType<typeof keepJson>>(one: RecoveryInGit<T>, json: (one: T) => J) => {
  if (one === 'unasked') return {};
  if (one === 'later') return { commits: null };
  if (one === 'nothing') return { commits: [] };
  const { branch, commits, leftOut, staged } = json(one as T);
  return { branch, commits: commits as J['commits'], leftOut, staged };
};

/** Of the plan that takes back the newest part of a recovery: the others begin where that ends, so that nobody can show them yet. */
export const partsBeforeWarnings = (before: number): string[] =>
  before === 0 ? [] : [`${before} earlier part(s) of the recovery, and what was finished by hand in between, go back after this one`];
