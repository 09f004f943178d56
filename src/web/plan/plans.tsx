import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import type { Done, HunkChoice, Plan, Scope } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, visible } from '../parts/words.ts';
import type { Choices } from './choices.ts';
import { DiscardDialog } from './discard-dialog.tsx';
import { KeepDialog, type Kept } from './keep-dialog.tsx';
import { type CarryingOut, PlanDialog } from './plan-dialog.tsx';
import { doneWords } from './plan-words.ts';
import { isWorthShowing, type Result, ResultDialog } from './result-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { lookerAtTarget } from './target-look.ts';
import { UndoDialog, type Undoing, UndoUnderWay } from './undo-dialog.tsx';
import { newJob } from './use-carrying.ts';

/** Something that changes files by a plan: shown first, then carried out as it was shown. */
interface PlanRequest {
  readonly title: string;
  /** On the button that carries it out. */
  readonly action: string;
  readonly preview: (choices: Choices, signal: AbortSignal) => Promise<Plan>;
  readonly apply: (carrying: CarryingOut) => Promise<Done>;
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

/** The same, with words for what is an undo of an undo. */
interface OwnPlans extends Plans {
  readonly undo: (rollback: string, isRedo?: boolean) => void;
  /** Shows what an undo would do, with what else can be wished for. */
  readonly previewUndo: (rollback: string, isRedo: boolean) => void;
}

const PlanContext = createContext<OwnPlans | undefined>(undefined);

export const useOwnPlans = (): OwnPlans => {
  const plans = useContext(PlanContext);
  if (plans === undefined) throw new Error('outside of a workspace');
  return plans;
};

export const usePlans = (): Plans => useOwnPlans();

/** What is in front of everything else now. */
type Open =
  | { readonly what: 'rollback'; readonly request: RollbackRequest }
  | { readonly what: 'plan'; readonly request: PlanRequest }
  | { readonly what: 'under-way'; readonly undoing: Undoing; readonly job: string }
  | { readonly what: 'undo'; readonly undoing: Undoing; readonly plan: Plan | undefined }
  | { readonly what: 'keep' | 'discard'; readonly session: string }
  | { readonly what: 'result'; readonly done: Result; readonly said: string };

type Show = (next: Open | undefined) => void;

/** Refusals of an undo that a plan, looked at, says more about. */
const TO_BE_SHOWN: readonly string[] = ['needs-confirmation', 'in-the-way', 'conflicts', 'workspace-moved'];

export const PlanProvider = ({ children }: { children: ReactNode }) => {
  const workspace = useWorkspaceId();
  const { toast, toastTrouble } = useToast();
  const [open, setOpen] = useState<Open>();
  const isHere = useRef(true);
  const underWay = useRef(new Set<string>());
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const close = (): void => setOpen(undefined);

  const { plans, finish, finishUndo } = useMemo(() => {
    const undo = async (rollback: string, isRedo = false): Promise<void> => {
      if (underWay.current.has(rollback)) return;
      underWay.current.add(rollback);
      const undoing = { rollback, isRedo };
      const job = newJob();
      setOpen({ what: 'under-way', undoing, job });
      // What the person opened meanwhile stays.
      const show = (next: Open | undefined): void =>
        setOpen((now) => (now === undefined || (now.what === 'under-way' && now.job === job) ? next : now));
      try {
        const done = (await ask('undoRollback', { params: { rollback }, body: { job }, workspace })) as Done;
        afterUndo(undoing, done, show);
      } catch (error) {
        const isToBeShown = isHere.current && error instanceof ApiError && TO_BE_SHOWN.includes(error.code);
        show(isToBeShown ? { what: 'undo', undoing, plan: error.details?.plan as Plan | undefined } : undefined);
        if (!isToBeShown) toastTrouble(error);
      } finally {
        underWay.current.delete(rollback);
      }
    };
    const told = (done: Result, said: string, again: { label: string; isRedo: boolean }, show: Show = setOpen): void => {
      const { rollbackId } = done;
      show(isWorthShowing(done) ? { what: 'result', done, said } : undefined);
      toast({
        text: visible(said),
        tone: 'good',
        ...(rollbackId === null ? {} : { action: { label: again.label, onChoose: () => void undo(rollbackId, again.isRedo) } }),
      });
    };
    const afterUndo = ({ isRedo }: Undoing, done: Done, show?: Show): void =>
      told(done, sentence(isRedo ? 'Redone' : 'Undone', done), { label: isRedo ? 'Undo' : 'Redo', isRedo: !isRedo }, show);
    return {
      finish: (done: Result, said: string) => told(done, said, { label: 'Undo', isRedo: false }),
      finishUndo: afterUndo,
      plans: {
        runPlan: (request) => setOpen({ what: 'plan', request }),
        rollBack: (request) => setOpen({ what: 'rollback', request }),
        undo: (rollback: string, isRedo = false) => void undo(rollback, isRedo),
        previewUndo: (rollback, isRedo) => setOpen({ what: 'undo', undoing: { rollback, isRedo }, plan: undefined }),
        keep: (session) => setOpen({ what: 'keep', session }),
        discard: (session) => setOpen({ what: 'discard', session }),
      } satisfies OwnPlans,
    };
  }, [workspace, toast, toastTrouble]);

  const finishKeep = (kept: Kept): void => {
    close();
    toast({ text: keptWords(kept), tone: 'good' });
  };

  const dialog = (): ReactNode => {
    switch (open?.what) {
      case undefined:
        return null;
      case 'rollback':
        return <RollbackDialog request={open.request} onClose={close} onDone={(done) => finish(done, sentence('Rolled back', done))} />;
      case 'plan':
        return <RequestDialog request={open.request} onClose={close} onDone={finish} />;
      case 'under-way':
        return <UndoUnderWay job={open.job} isRedo={open.undoing.isRedo} />;
      case 'undo':
        return <UndoDialog undoing={open.undoing} plan={open.plan} onClose={close} onDone={(done) => finishUndo(open.undoing, done)} />;
      case 'keep':
        return <KeepDialog session={open.session} onClose={close} onDone={finishKeep} />;
      case 'discard':
        return <DiscardDialog session={open.session} onClose={close} onDone={(done) => finish(done, sentence('Discarded', done))} />;
      case 'result': {
        const { rollbackId } = open.done;
        return (
          <ResultDialog
            done={open.done}
            said={open.said}
            onUndo={rollbackId === null ? undefined : () => plans.undo(rollbackId)}
            onClose={close}
          />
        );
      }
    }
  };
  return (
    <PlanContext value={plans}>
      {children}
      {dialog()}
    </PlanContext>
  );
};

const sentence = (verb: string, done: Done): string =>
  done.rollbackId === null ? 'Nothing had to be changed' : `${verb}: ${doneWords(done) || 'nothing else'}`;

const keptWords = ({ commits, branch, pushed, pushTo }: Kept): string =>
  `Kept: ${count(commits.length, 'commit')}${branch === null ? '' : ` on ${visible(branch)}`}${pushed && pushTo !== null ? `, pushed to ${visible(pushTo)}` : ''}`;

interface RequestDialogProps {
  readonly request: PlanRequest;
  readonly onDone: (done: Done, said: string) => void;
  readonly onClose: () => void;
}

/** What other views want done by a plan. */
const RequestDialog = ({ request, onDone, onClose }: RequestDialogProps) => {
  const { title, action, preview, apply, said } = request;
  const workspace = useWorkspaceId();
  return (
    <PlanDialog<Done>
      title={title}
      action={() => action}
      options=""
      preview={async (choices, signal) => {
        const plan = await preview(choices, signal);
        return { plan, whole: plan };
      }}
      apply={apply}
      onDone={(done) => {
        onDone(done, said(done));
        request.onDone?.(done);
      }}
      onClose={onClose}
      looker={({ plan }) => lookerAtTarget(workspace, plan, { isExact: false })}
    />
  );
};
