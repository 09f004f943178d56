import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { ask } from '../client/ask.ts';
import { askAgain } from '../client/keys.ts';
import { useAnswer } from '../client/queries.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, visible } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import {
  abortRecovery,
  type Commits,
  changesNothing,
  continueRecovery,
  type UnderWay as State,
  underWayBy,
  underWayIn,
} from './requests.ts';
import { saidOf } from './said.ts';
import classes from './under-way.module.css';

const LOOK = { body: { dryRun: true } } as const;

/** What is known of the recovery under way, and looking at it again: files change without anybody telling. */
const useUnderWay = (): { readonly state: State; readonly lookAgain: () => Promise<State> } => {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { data, error } = useAnswer('continueRecovery', LOOK);
  const state: State = error !== null ? underWayBy(error) : data === undefined ? { is: 'none' } : underWayIn(data);
  const isUnderWay = state.is !== 'none';
  const refresh = useCallback(
    () => askAgain(client, ([own, what]) => own === workspace && what === 'continueRecovery'),
    [client, workspace],
  );
  useEffect(() => {
    if (!isUnderWay) return;
    // Who comes back from their editor may have finished what was to be finished.
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [isUnderWay, refresh]);
  const lookAgain = async (): Promise<State> => {
    try {
      return underWayIn(await ask('continueRecovery', { workspace, ...LOOK }));
    } catch (refusal) {
      return underWayBy(refusal);
    } finally {
      refresh();
    }
  };
  return { state, lookAgain };
};

/** A recovery that stopped for something to be finished by hand: going on with it, and taking it back. Nothing where there is none. */
export const UnderWay = () => {
  const workspace = useWorkspaceId();
  const { runPlan } = usePlans();
  const { toast, toastTrouble } = useToast();
  const { state, lookAgain } = useUnderWay();
  const [asking, setAsking] = useState<Asking>();
  if (state.is === 'none') return null;
  const goOn = async (): Promise<void> => {
    const now = await lookAgain();
    switch (now.is) {
      case 'none':
        return toast({ text: 'It is finished already' });
      case 'marked':
        return toast({ tone: 'bad', text: `There are still markers in ${now.paths.map(visible).join(', ')}` });
      case 'rest':
        return runPlan({
          title: 'Go on with the recovery',
          action: 'Continue',
          ...continueRecovery({ ask, workspace }),
          said: (done) => saidOf(done, 'The recovery is finished'),
        });
      case 'ready':
        if (now.commits.length > 0) return setAsking({ about: 'commits', commits: now.commits, expectedTree: now.expectedTree });
        await ask('continueRecovery', { workspace, body: { expectedTree: now.expectedTree } });
        await lookAgain();
        return toast({ tone: 'good', text: 'The recovery is finished' });
      case 'held-up':
        throw now.error;
    }
  };
  const takeBack = async (): Promise<void> => {
    const plan = await ask('abortRecovery', { workspace, body: { dryRun: true } });
    if ('expectedTree' in plan && changesNothing(plan)) return setAsking({ about: 'nothing', expectedTree: plan.expectedTree });
    runPlan({
      title: 'Take the recovery back',
      action: 'Take back',
      ...abortRecovery({ ask, workspace }),
      said: () => 'The recovery is taken back',
    });
  };
  const closeAsking = (): void => {
    setAsking(undefined);
    void lookAgain().catch(toastTrouble);
  };
  const isSure = state.is !== 'held-up' || state.isSure;
  const title = isSure ? 'A recovery is under way' : 'Whether a recovery is under way can not be told';
  return (
    <section className={classes.banner} aria-label={title}>
      <Icon name="warn" size={20} />
      <div className={classes.words}>
        <h2>{title}</h2>
        <Words state={state} />
      </div>
      <div className={classes.actions}>
        <Button look="primary" onClick={() => void goOn().catch(toastTrouble)}>
          Continue
        </Button>
        <Button look="danger" onClick={() => void takeBack().catch(toastTrouble)}>
          Abort …
        </Button>
      </div>
      {asking?.about === 'commits' && (
        <YesDialog
          title={`Make ${count(asking.commits.length, 'commit')}`}
          action="Commit"
          onYes={() => ask('continueRecovery', { workspace, body: { expectedTree: asking.expectedTree } })}
          said={`${count(asking.commits.length, 'commit')} made; the recovery is finished`}
          onClose={closeAsking}
        >
          <ul className={classes.files}>
            {asking.commits.map(({ headline, files }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: commits to be have nothing else to tell them apart
              <li key={at}>
                {visible(headline)} ({count(files.length, 'file')})
              </li>
            ))}
          </ul>
        </YesDialog>
      )}
      {asking?.about === 'nothing' && (
        <YesDialog
          title="Take the recovery back"
          action="Take back"
          onYes={() => ask('abortRecovery', { workspace, body: { expectedTree: asking.expectedTree } })}
          said="The recovery is taken back"
          onClose={closeAsking}
        >
          <p>
            What it did last is taken back in your files already. This closes it, and takes back what it did before that, if it was gone on
            with.
          </p>
        </YesDialog>
      )}
    </section>
  );
};

const Words = ({ state }: { state: State }) => {
  switch (state.is) {
    case 'marked':
      return (
        <>
          <p>These files have places between markers. Finish them in your editor, then continue; or take all of it back.</p>
          <ul className={classes.files}>
            {state.paths.map((path) => (
              <li key={path}>
                <code>{visible(path)}</code>
              </li>
            ))}
          </ul>
        </>
      );
    case 'rest':
      return <p>{count(state.steps, 'step')} still to come. You see the plan before anything changes.</p>;
    case 'ready':
      return (
        <p>
          All is done in your files
          {state.commits.length > 0 ? `; ${count(state.commits.length, 'commit')} to be made.` : ': continue to close it.'}
        </p>
      );
    case 'held-up':
      return <ProblemLine error={state.error} />;
    case 'none':
      return null;
  }
};

/** What no plan of files can show. */
type Asking =
  | { readonly about: 'commits'; readonly commits: Commits; readonly expectedTree: string | undefined }
  | { readonly about: 'nothing'; readonly expectedTree: string };

interface YesDialogProps {
  readonly title: string;
  readonly action: string;
  readonly onYes: () => Promise<unknown>;
  readonly said: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const YesDialog = ({ title, action, onYes, said, onClose, children }: YesDialogProps) => {
  const { toast } = useToast();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const agree = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await onYes();
      toast({ tone: 'good', text: said });
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      size="small"
      actions={
        <>
          <Button data-autofocus onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button look="primary" onClick={() => void agree()} disabled={isBusy}>
            {isBusy ? 'Working …' : action}
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && <ProblemLine error={error} />}
    </Dialog>
  );
};
