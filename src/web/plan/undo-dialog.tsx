import { useEffect, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Done, Plan } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { actionOn, PlanDialog } from './plan-dialog.tsx';
import { Progress } from './progress.tsx';
import { lookerAtTarget } from './target-look.ts';
import { useProgress } from './use-carrying.ts';

export interface Undoing {
  readonly rollback: string;
  /** What is taken back is an undo itself. */
  readonly isRedo: boolean;
}

interface UndoDialogProps {
  readonly undoing: Undoing;
  /** As the server told it when it was asked to undo and did not. */
  readonly plan: Plan | undefined;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}

/** An undo that is shown first: because something changed since what it takes back, or because that is wanted. */
export const UndoDialog = ({ undoing: { rollback, isRedo }, plan: told, onDone, onClose }: UndoDialogProps) => {
  const workspace = useWorkspaceId();
  const first = useRef(told);
  const params = { rollback };
  return (
    <PlanDialog<Done>
      title={isRedo ? 'Redo a rollback' : 'Undo a rollback'}
      action={actionOn(isRedo ? 'Redo' : 'Undo')}
      options={rollback}
      preview={async (_, signal) => {
        const plan = first.current ?? ((await ask('undoRollback', { params, body: { dryRun: true }, workspace, signal })) as Plan);
        first.current = undefined;
        return { plan, whole: plan };
      }}
      apply={async ({ expectedTree, job, branching }) =>
        (await ask('undoRollback', { params, body: { expectedTree, job, ...branching }, workspace })) as Done
      }
      onDone={onDone}
      onClose={onClose}
      looker={({ plan }) => lookerAtTarget(workspace, plan, { isExact: true })}
    />
  );
};

/** What is done sooner needs no dialog. */
const SOON = 400;

/** An undo under way that takes long enough to be looked at. */
export const UndoUnderWay = ({ job, isRedo }: { job: string; isRedo: boolean }) => {
  const progress = useProgress(job);
  const [isShown, setShown] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), SOON);
    return () => window.clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  const cancel = (): void => {
    setCancelling(true);
    // Where it can not be asked any more, it is over: its own request tells how.
    void ask('cancelJob', { params: { job } }).catch(() => undefined);
  };
  return (
    <Dialog
      title={isRedo ? 'Redo' : 'Undo'}
      size="small"
      isBusy
      onClose={() => undefined}
      actions={
        <Button onClick={cancel} disabled={isCancelling}>
          {isCancelling ? 'Ending …' : 'Cancel'}
        </Button>
      }
    >
      <Progress what={isRedo ? 'Doing it again …' : 'Taking it back …'} carrying={{ job, progress, isCancelling }} />
    </Dialog>
  );
};
