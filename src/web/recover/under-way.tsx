import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../client/ask.ts';
import { keyOf, useAnswer } from '../client/queries.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, visible } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import { abortRecovery, type Commits, continueRecovery, type UnderWay as State, underWayBy, underWayIn } from './requests.ts';
import { saidOf } from './said.ts';
import classes from './under-way.module.css';

const LOOK = { body: { dryRun: true } } as const;

/** What is known of the recovery under way, and looking at it again: files change without anybody telling. */
const useUnderWay = (): { readonly state: State; readonly lookAgain: () => Promise<State> } => {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { data, error, refetch } = useAnswer('continueRecovery', LOOK);
  const state: State = (error === null ? data && underWayIn(data) : underWayBy(error)) ?? { is: 'none' };
  const isUnderWay = state.is !== 'none';
  useEffect(() => {
    if (!isUnderWay) return;
    // Who comes back from their editor may have finished what was to be finished.
    const onFocus = (): void => void refetch();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isUnderWay, refetch]);
  const lookAgain = async (): Promise<State> => {
    try {
      return underWayIn(await ask('continueRecovery', { workspace, ...LOOK }));
    } catch (refusal) {
      const told = underWayBy(refusal);
      if (told === undefined) throw refusal;
      return told;
    } finally {
      void client.invalidateQueries({ queryKey: keyOf(workspace, 'continueRecovery', LOOK) });
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
  const [commits, setCommits] = useState<Commits>();
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
        if (now.commits.length > 0) return setCommits(now.commits);
        await ask('continueRecovery', { workspace, body: {} });
        await lookAgain();
        return toast({ tone: 'good', text: 'The recovery is finished' });
    }
  };
  const takeBack = (): void =>
    runPlan({
      title: 'Take the recovery back',
      action: 'Take back',
      ...abortRecovery({ ask, workspace }),
      said: () => 'The recovery is taken back',
    });
  return (
    <section className={classes.banner} aria-label="A recovery is under way">
      <Icon name="warn" size={20} />
      <div className={classes.words}>
        <h2>A recovery is under way</h2>
        <Words state={state} />
      </div>
      <div className={classes.actions}>
        <Button look="primary" onClick={() => void goOn().catch(toastTrouble)}>
          Continue
        </Button>
        <Button look="danger" onClick={takeBack}>
          Abort …
        </Button>
      </div>
      {commits !== undefined && <CommitDialog commits={commits} onClose={() => setCommits(undefined)} onDone={() => void lookAgain()} />}
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
    case 'none':
      return null;
  }
};

/** No file changes any more, and so there is no plan: the commits are what is shown. */
const CommitDialog = ({ commits, onClose, onDone }: { commits: Commits; onClose: () => void; onDone: () => void }) => {
  const workspace = useWorkspaceId();
  const { toast } = useToast();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const commit = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await ask('continueRecovery', { workspace, body: {} });
      toast({ tone: 'good', text: `${count(commits.length, 'commit')} made; the recovery is finished` });
      onClose();
      onDone();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Make ${count(commits.length, 'commit')}`}
      onClose={onClose}
      isBusy={isBusy}
      size="small"
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button look="primary" data-autofocus onClick={() => void commit()} disabled={isBusy}>
            {isBusy ? 'Committing …' : 'Commit'}
          </Button>
        </>
      }
    >
      <ul className={classes.files}>
        {commits.map(({ headline, files }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: commits to be have nothing else to tell them apart
          <li key={at}>
            {visible(headline)} ({count(files.length, 'file')})
          </li>
        ))}
      </ul>
      {error !== undefined && <ProblemLine error={error} />}
    </Dialog>
  );
};
