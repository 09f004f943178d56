import { ask } from '../client/ask.ts';
import type { Diff, DiffFile, DiffHunk, Done, Plan } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import { restoring } from './restored-hunks.ts';
import { type DiffSubject, isWithPresent } from './subject.ts';
import { useReread } from './use-difference.ts';

/** Taking what a difference shows back: always by a plan that is shown first. */
export interface Restore {
  readonly restoreFile: (file: DiffFile) => void;
  readonly restoreHunk: (file: DiffFile, hunk: DiffHunk) => Promise<void>;
}

/** Undefined where nothing can be taken back from here: only the present can be made what a checkpoint was. */
export const useRestore = (subject: DiffSubject, from: Diff['from'] | undefined): Restore | undefined => {
  const workspace = useWorkspaceId();
  const reread = useReread();
  const { rollBack } = usePlans();
  const { toast, toastTrouble } = useToast();
  if (!isWithPresent(subject) || from?.id == null) return undefined;
  const at = { session: subject.session, checkpoint: from.id };
  return {
    restoreFile: ({ path }) => rollBack({ ...at, scope: 'code', paths: [path] }),
    restoreHunk: async ({ path }, hunk) => {
      try {
        const plan = await ask('previewRollback', { params: at, query: { path: [path], hunks: true }, workspace });
        const step = plan.operations.find((one) => one.path === path && one.pathBase64 === undefined);
        const hunks = restoring(path, hunk, step?.hunks ?? []);
        if (hunks.length > 0) return rollBack({ ...at, scope: 'code', hunks });
        if (plan.stays.some((one) => one.path === path))
          return toast({
            tone: 'bad',
            text: 'Others changed this file, too, so that a rollback leaves it as it is. Restore the whole file.',
          });
        toast({ tone: 'bad', text: 'The file has changed since: this is what differs now.' });
        await reread();
      } catch (error) {
        toastTrouble(error);
      }
    },
  };
};

/** Takes what one step did out of the present; all that came later stays. */
export const useUndoStep = (): ((step: string, description: string) => void) => {
  const workspace = useWorkspaceId();
  const { runPlan } = usePlans();
  return (commit, description) =>
    runPlan({
      title: `Undo just this step: ${description}`,
      action: 'Undo this step',
      preview: async ({ onConflict, resolve }, signal) => {
        const body = { onConflict, resolve: [...resolve], dryRun: true };
        return (await ask('revertCommit', { params: { commit }, body, workspace, signal })) as Plan;
      },
      apply: async ({ onConflict, resolve, expectedTree, job, branching }) => {
        const body = { onConflict, resolve: [...resolve], expectedTree, job, ...branching };
        return (await ask('revertCommit', { params: { commit }, body, workspace })) as Done;
      },
      said: ({ restored, deleted }) => `The step is undone: ${count(restored + deleted, 'file')} changed.`,
    });
};
