import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../api/index.ts';
import type { Done, Plan } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { absoluteTime, count } from '../parts/words.ts';
import { BranchOptions } from './branch-options.tsx';
import { type Choices, NO_CHOICE } from './choices.ts';
import { Conflicts } from './conflicts.tsx';
import type { Looker } from './file-look.tsx';
import { MOVED, Notice, Refusal } from './notice.tsx';
import { type Choosing, PlanChanges } from './plan-changes.tsx';
import classes from './plan-dialog.module.css';
import { Around, type Remedies, Warnings } from './plan-parts.tsx';
import { extentOf, isEmpty, openConflicts } from './plan-words.ts';
import { Progress } from './progress.tsx';
import { type Branching, branchingOf, offersBranch, USUAL } from './recovery-branch.ts';
import { useCarrying } from './use-carrying.ts';
import { useProposal } from './use-proposal.ts';

/** A plan, and what it may be a part of. */
export interface Proposal {
  readonly plan: Plan;
  readonly whole: Plan;
  /** Why there is no plan for what was chosen of it. */
  readonly refused?: string;
}

export type CarryingOut = Choices & { readonly expectedTree: string; readonly job: string; readonly branching: Branching };

interface PlanDialogProps<D extends Done> {
  readonly title: string;
  /** On the button that carries it out. */
  readonly action: (plan: Plan) => string;
  /** All that the plan depends on besides the choices that are made here. */
  readonly options: string;
  readonly preview: (choices: Choices, signal: AbortSignal) => Promise<Proposal>;
  /** Carries out what was shown. */
  readonly apply: (carrying: CarryingOut, shown: Proposal) => Promise<D>;
  readonly onDone: (done: D) => void;
  readonly onClose: () => void;
  /** What it is about, above all else. */
  readonly head?: ((plan: Plan | undefined) => ReactNode) | undefined;
  /** What can be wished for, beside the plan. */
  readonly beside?: ReactNode;
  readonly remedies?: Remedies | undefined;
  readonly choosing?: Choosing | undefined;
  readonly looker?: ((proposal: Proposal) => Looker | undefined) | undefined;
  readonly planning?: string | undefined;
}

/** Shows what would be done, and does just that when a person says so. Until then nothing happens. */
export const PlanDialog = <D extends Done>(props: PlanDialogProps<D>) => {
  const { title, action, options, preview, apply, onDone, onClose, head, beside, remedies = {}, choosing, looker } = props;
  // What was chosen holds for the plan that it was chosen for.
  const [chosen, setChosen] = useState<{ readonly options: string; readonly choices: Choices }>({ options, choices: NO_CHOICE });
  const choices = chosen.options === options ? chosen.choices : NO_CHOICE;
  const { proposal, error, isPlanning, again } = useProposal(JSON.stringify([options, choices]), (signal) => preview(choices, signal));
  const { carrying, carry, cancel } = useCarrying();
  const [branch, setBranch] = useState(USUAL);
  const [refusal, setRefusal] = useState<unknown>();
  const { plan, whole } = proposal ?? {};
  useEffect(() => {
    // The safe button again, as when it opened.
    if (refusal !== undefined) document.querySelector<HTMLElement>('dialog[open] [data-autofocus]')?.focus();
  }, [refusal]);

  const act = async (): Promise<void> => {
    if (proposal === undefined || isPlanning) return;
    const { expectedTree } = proposal.plan;
    setRefusal(undefined);
    try {
      onDone(await carry((job) => apply({ ...choices, expectedTree, job, branching: branchingOf(branch) }, proposal)));
    } catch (failed) {
      const isMoved = hasMoved(failed, choices);
      setRefusal(isMoved ? MOVED : failed);
      // They may be about files that are in conflict no more.
      if (isMoved) setChosen({ options, choices: NO_CHOICE });
      again();
    }
  };

  if (carrying !== undefined)
    return (
      <Dialog
        title={title}
        onClose={onClose}
        isBusy
        size="large"
        actions={
          <Button onClick={cancel} disabled={carrying.isCancelling}>
            {carrying.isCancelling ? 'Ending …' : 'Cancel'}
          </Button>
        }
      >
        <Progress what={plan === undefined ? title : `${action(plan)} …`} carrying={carrying} />
      </Dialog>
    );

  const refused = proposal?.refused;
  const isBesides = beside !== undefined || offersBranch(whole);
  const whyNot = plan === undefined ? 'The plan is being made' : reasonAgainst(plan, isPlanning, refused !== undefined);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      size="large"
      actions={
        <>
          {whyNot !== undefined && error === undefined && <span className={classes.whyNot}>{whyNot}</span>}
          <Button data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" onClick={() => void act()} disabled={whyNot !== undefined || error !== undefined}>
            {plan === undefined ? title : action(plan)}
          </Button>
        </>
      }
    >
      <div className={classes.layout} data-beside={isBesides}>
        <div className={classes.top}>
          {refusal !== undefined && <Refusal error={refusal} />}
          {head?.(plan)}
        </div>
        {error !== undefined && (
          <div className={classes.plan}>
            <Refusal error={error} />
            <div>
              <Button
                isSmall
                onClick={() => {
                  setChosen({ options, choices: NO_CHOICE });
                  again();
                }}
              >
                Try again
              </Button>
            </div>
          </div>
        )}
        {error === undefined && (
          <div className={classes.plan} aria-busy={isPlanning}>
            {plan === undefined || whole === undefined ? (
              <p role="status" className={classes.soft}>
                {props.planning ?? 'Making the plan …'}
              </p>
            ) : (
              <>
                <Warnings plan={plan} remedies={remedies} />
                {refused !== undefined && <Notice tone="bad" title={refused} isNews />}
                {isEmpty(plan) && plan.conflicts.length === 0 && refused === undefined && !isPlanning && <Nothing />}
                {plan.conflicts.length > 0 && (
                  <Conflicts conflicts={plan.conflicts} choices={choices} onChoose={(next) => setChosen({ options, choices: next })} />
                )}
                {whole.operations.length > 0 && (
                  <PlanChanges plan={plan} whole={whole} choosing={choosing} looker={proposal && looker?.(proposal)} />
                )}
                <Around plan={plan} />
                {plan.undoableUntil !== null && <p className={classes.soft}>It can be undone until {absoluteTime(plan.undoableUntil)}.</p>}
              </>
            )}
          </div>
        )}
        {isBesides && (
          <div className={classes.beside}>
            {beside}
            {offersBranch(whole) && <BranchOptions branch={branch} onChange={setBranch} plan={whole} />}
          </div>
        )}
      </div>
    </Dialog>
  );
};

/** What was chosen about a file that is not in conflict any more is refused before it is seen that the workspace moved. */
const hasMoved = (error: unknown, { resolve }: Choices): boolean =>
  error instanceof ApiError && (error.code === 'workspace-moved' || (error.code === 'unknown-id' && resolve.length > 0));

const Nothing = () => (
  <Notice tone="info" title="Nothing would change">
    <p>Everything this is about is there already as it would be.</p>
  </Notice>
);

/** Why it can not be carried out as it is. */
const reasonAgainst = (plan: Plan, isPlanning: boolean, isRefused: boolean): string | undefined => {
  if (isPlanning) return 'The plan is being made anew';
  if (isRefused) return 'There is no plan for this';
  if (plan.inTheWay.length > 0) return 'Something is in the way';
  const open = openConflicts(plan).length;
  if (open > 0) return `${count(open, 'file is', 'files are')} undecided`;
  return isEmpty(plan) ? 'Nothing would change' : undefined;
};

/** `Roll back 3 files`. */
export const actionOn =
  (verb: string) =>
  (plan: Plan): string =>
    isEmpty(plan) ? verb : `${verb} ${extentOf(plan)}`;
