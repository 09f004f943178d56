import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Conflict, Done, HunkChoice, Plan, Scope } from '../client/types.ts';

/** What is done about files that two sides changed. */
export type ConflictChoice = 'ours' | 'theirs' | 'manual' | 'skip';

export interface Choices {
  readonly onConflict: ConflictChoice | 'abort';
  /** For single files. */
  readonly resolve: readonly { readonly path: Conflict['path']; readonly choice: ConflictChoice }[];
}

/** Something that changes files by a plan: shown first, then carried out as it was shown. */
export interface PlanRequest {
  readonly title: string;
  /** On the button that carries it out. */
  readonly action: string;
  readonly propose: (choices: Choices, signal: AbortSignal) => Promise<Plan>;
  readonly carryOut: (carrying: Choices & { readonly expectedTree: string; readonly job: string }) => Promise<Done>;
  /** What is said when it is done; there is always an undo beside it. */
  readonly said: (done: Done) => string;
  /** Called after it was done. */
  readonly onDone?: (done: Done) => void;
}

/** Going back to a checkpoint, or some of it. */
export interface RollbackRequest {
  readonly session: string;
  readonly checkpoint: string;
  readonly scope?: Scope;
  /** Only these files or directories. */
  readonly paths?: readonly string[];
  /** Of other files these parts only. */
  readonly hunks?: readonly HunkChoice[];
}

export interface Plans {
  readonly runPlan: (request: PlanRequest) => void;
  readonly rollBack: (request: RollbackRequest) => void;
  /** Takes a rollback back: at once where nothing changed since, else by a plan that is shown. */
  readonly undo: (rollback: string) => void;
  readonly keep: (session: string) => void;
  readonly discard: (session: string) => void;
}

const PlanContext = createContext<Plans | undefined>(undefined);

export const usePlans = (): Plans => {
  const plans = useContext(PlanContext);
  if (plans === undefined) throw new Error('outside of a workspace');
  return plans;
};

export const PlanProvider = ({ children }: { children: ReactNode }) => {
  const [, setOpen] = useState<unknown>();
  const plans = useMemo((): Plans => ({ runPlan: setOpen, rollBack: setOpen, undo: setOpen, keep: setOpen, discard: setOpen }), []);
  return <PlanContext value={plans}>{children}</PlanContext>;
};
