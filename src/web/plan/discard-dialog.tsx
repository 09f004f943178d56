import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Done, Plan } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Checkbox } from '../parts/field.tsx';
import { actionOn, PlanDialog } from './plan-dialog.tsx';
import { lookerAtTarget } from './target-look.ts';

interface DiscardDialogProps {
  readonly session: string;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}

/** Takes a session's work out again; what the person did themselves stays unless they say otherwise (GIT-4). */
export const DiscardDialog = ({ session, onDone, onClose }: DiscardDialogProps) => {
  const workspace = useWorkspaceId();
  const [all, setAll] = useState(false);
  const params = { session };
  return (
    <PlanDialog<Done>
      title="Discard the work"
      action={actionOn('Discard: roll back')}
      options={String(all)}
      preview={async ({ onConflict, resolve }, signal) => {
        const body = { all, onConflict, resolve: [...resolve], dryRun: true };
        const plan = (await ask('discardSession', { params, body, workspace, signal })) as Plan;
        return { plan, whole: plan };
      }}
      apply={async ({ onConflict, resolve, expectedTree, job, branching }) =>
        (await ask('discardSession', {
          params,
          body: { all, onConflict, resolve: [...resolve], expectedTree, job, ...branching },
          workspace,
        })) as Done
      }
      onDone={onDone}
      onClose={onClose}
      looker={({ plan }) => lookerAtTarget(workspace, plan, { isExact: false })}
      beside={
        <Checkbox
          label="Everything since its start"
          help="Back to the state at its start, whoever changed what since: your own edits go too. Otherwise they stay."
          checked={all}
          onChange={({ target }) => setAll(target.checked)}
        />
      }
    />
  );
};
