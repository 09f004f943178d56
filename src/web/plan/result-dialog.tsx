import type { Done } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { absoluteTime, count, shortId, visible } from '../parts/words.ts';
import { Notice } from './notice.tsx';
import { PathList } from './path-name.tsx';
import { onThePage } from './plan-words.ts';
import classes from './result-dialog.module.css';
import type { RolledBack } from './rollback-dialog.tsx';

export type Result = Done & Partial<Pick<RolledBack, 'recoveryBranch' | 'recoveryBranchProblem'>>;

const byHand = ({ conflicts }: Done) => conflicts.filter(({ choice }) => choice === 'manual');

/** Whether there is more to say of it than fits in passing. */
export const isWorthShowing = (done: Result): boolean =>
  done.resume !== null ||
  done.recoveryBranch != null ||
  done.recoveryBranchProblem !== undefined ||
  byHand(done).length > 0 ||
  done.setAside.length > 0;

interface ResultDialogProps {
  readonly done: Result;
  readonly said: string;
  readonly onUndo: (() => void) | undefined;
  readonly onClose: () => void;
}

/** What was done, and what the person can go on with. */
export const ResultDialog = ({ done, said, onUndo, onClose }: ResultDialogProps) => {
  const { resume, conversation, recoveryBranch, recoveryBranchProblem, left } = done;
  const marked = byHand(done);
  return (
    <Dialog
      title="Done"
      onClose={onClose}
      actions={
        <>
          {onUndo !== undefined && <Button onClick={onUndo}>Undo</Button>}
          <Button look="primary" data-autofocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <p>{visible(said)}</p>
      {done.undoableUntil !== null && <p className={classes.soft}>It can be undone until {absoluteTime(done.undoableUntil)}.</p>}
      {resume !== null && (
        <section className={classes.part} aria-label="Going on">
          <h3>To go on with the conversation, run</h3>
          <Copyable text={resume} what="Command" />
        </section>
      )}
      {resume !== null && conversation?.prompt != null && (
        <section className={classes.part} aria-label="Prompt">
          <h3>The prompt that followed, for editing</h3>
          <Copyable text={conversation.prompt} what="Prompt" />
        </section>
      )}
      {marked.length > 0 && (
        <section className={classes.part} aria-label="By hand">
          <h3>To be finished by hand</h3>
          <p>Both versions stand in these files, between markers (&lt;&lt;&lt;&lt;&lt;&lt;&lt; and &gt;&gt;&gt;&gt;&gt;&gt;&gt;).</p>
          <PathList paths={marked.map(({ path, pathBase64 }) => ({ path, pathBase64 }))} />
          {left !== undefined && left.steps.length > 0 && <p>After that, {count(left.steps.length, 'step')} can be gone on with.</p>}
        </section>
      )}
      {done.setAside.length > 0 && (
        <section className={classes.part} aria-label="Left as it is">
          <h3>Left as it is, because it keeps changing</h3>
          <PathList paths={done.setAside} />
        </section>
      )}
      {recoveryBranch != null && (
        <section className={classes.part} aria-label="Recovery branch">
          <h3>Recovery branch</h3>
          <p className={classes.branch}>
            <Badge tone="good">{visible(recoveryBranch.branch)}</Badge> has the files as they were before, in commit{' '}
            <code>{shortId(recoveryBranch.commit)}</code>.
            {recoveryBranch.pushed && ` It is pushed to ${visible(recoveryBranch.pushTo ?? '')}.`}
          </p>
          {recoveryBranch.leftOut.length > 0 && (
            <>
              <p>Left out of it:</p>
              <PathList paths={recoveryBranch.leftOut} />
            </>
          )}
        </section>
      )}
      {recoveryBranchProblem !== undefined && (
        <Notice
          tone="bad"
          title={
            recoveryBranch == null
              ? `No recovery branch was made: ${onThePage(recoveryBranchProblem.message)}`
              : onThePage(recoveryBranchProblem.message)
          }
        >
          <p>
            The rollback itself is done. {recoveryBranchProblem.hint !== undefined && onThePage(recoveryBranchProblem.hint)} The state
            before it
            {done.safetyCheckpoint === null ? '' : ` is checkpoint ${shortId(done.safetyCheckpoint)}, and`} can be brought back by Undo.
          </p>
        </Notice>
      )}
    </Dialog>
  );
};
