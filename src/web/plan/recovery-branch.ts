import type { BodyToGive, Routes } from '../../api/index.ts';
import type { Plan } from '../client/types.ts';

/** A branch of the state before a rollback, as a person wants it. */
export interface RecoveryBranch {
  /** Undefined for what is usual here, as the settings say. */
  readonly isWanted: boolean | undefined;
  readonly name: string;
  /** The remote that it is pushed to; empty for none. */
  readonly pushTo: string;
}

export const USUAL: RecoveryBranch = { isWanted: undefined, name: '', pushTo: '' };

/** The same in the words of a request. */
export type Branching = Pick<BodyToGive<Routes['undoRollback']>, 'createRecoveryBranch' | 'recoveryBranchName' | 'pushRecoveryBranch'>;

export const branchingOf = ({ isWanted, name, pushTo }: RecoveryBranch): Branching => ({
  ...(isWanted === undefined ? {} : { createRecoveryBranch: isWanted }),
  ...(isWanted === true && name.trim() !== '' ? { recoveryBranchName: name.trim() } : {}),
  ...(isWanted === true && pushTo !== '' ? { pushRecoveryBranch: pushTo } : {}),
});

/** Whether a branch can be asked for with this plan. */
export const offersBranch = (plan: Plan | undefined): boolean => plan?.recoveryBranch !== undefined;
