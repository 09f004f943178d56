import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Loading, Problem, ProblemLine } from '../parts/states.tsx';

interface ConfirmDialogProps<P> {
  readonly title: string;
  readonly action: string;
  /** Asks what would be done; changes nothing. */
  readonly preview: (signal: AbortSignal) => Promise<P>;
  /** Shows that; null where there is nothing to do. */
  readonly show: (plan: P) => ReactNode | null;
  /** What is said then. */
  readonly nothing: string;
  /** Does what was shown. */
  readonly apply: (plan: P) => Promise<void>;
  readonly onClose: () => void;
}

/** Shows what would be done, and does it when that is confirmed. */
export const ConfirmDialog = <P,>({ title, action, preview, show, nothing, apply, onClose }: ConfirmDialogProps<P>) => {
  const [plan, setPlan] = useState<P>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each round, whatever function asks
  useEffect(() => {
    const ended = new AbortController();
    setPlan(undefined);
    preview(ended.signal).then(setPlan, (problem) => ended.signal.aborted || setError(problem));
    return () => ended.abort();
  }, [round]);
  const askAgain = (): void => {
    setError(undefined);
    setRound(round + 1);
  };
  const confirm = async (shown: P): Promise<void> => {
    setBusy(true);
    try {
      await apply(shown);
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const shown = plan === undefined ? undefined : show(plan);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          {plan !== undefined && shown !== null && error === undefined && (
            <Button look="primary" disabled={isBusy} onClick={() => void confirm(plan)} data-autofocus>
              {action}
            </Button>
          )}
          {plan !== undefined && error !== undefined && <Button onClick={askAgain}>Look again</Button>}
        </>
      }
    >
      {plan === undefined && error === undefined && <Loading what="Looking …" />}
      {plan === undefined && error !== undefined && <Problem error={error} onRetry={askAgain} />}
      {shown === null ? <p>{nothing}</p> : shown}
      {plan !== undefined && error !== undefined && <ProblemLine error={error} />}
    </Dialog>
  );
};
