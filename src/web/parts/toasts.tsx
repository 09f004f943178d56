import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { troubleOf } from '../client/ask.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import classes from './toasts.module.css';

export interface Toast {
  readonly text: ReactNode;
  readonly tone?: 'good' | 'bad' | 'plain';
  /** Something to do about it, such as Undo. */
  readonly action?: { readonly label: string; readonly onChoose: () => void };
}

interface Shown extends Toast {
  readonly id: number;
}

interface Toaster {
  readonly toast: (toast: Toast) => void;
  /** Tells of something that failed. */
  readonly toastTrouble: (error: unknown) => void;
}

const ToastContext = createContext<Toaster>({ toast: () => {}, toastTrouble: () => {} });

export const useToast = (): Toaster => useContext(ToastContext);

/** One with something to do stays until it is closed, or others have pushed it out. */
const STAYS = 6000;
const MOST = 4;

/** Short words on what was just done, where they are in nobody's way. */
export const ToastProvider = ({ children }: { children: ReactNode }) => {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const numbers = useRef(0);
  const close = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const toaster = useMemo((): Toaster => {
    const toast = (one: Toast): void => {
      const id = ++numbers.current;
      setShown((all) => [...all, { ...one, id }].slice(-MOST));
      if (one.action === undefined && one.tone !== 'bad') window.setTimeout(() => close(id), STAYS);
    };
    const toastTrouble = (error: unknown): void => {
      const { message, hint } = troubleOf(error);
      toast({ tone: 'bad', text: [message, hint].filter((words) => words !== undefined).join('. ') });
    };
    return { toast, toastTrouble };
  }, [close]);
  return (
    <ToastContext value={toaster}>
      {children}
      <div className={classes.toasts} role="status" aria-live="polite">
        {shown.map(({ id, text, tone = 'plain', action }) => (
          <div key={id} className={`${classes.toast} ${classes[tone]}`}>
            <Icon name={tone === 'bad' ? 'warn' : 'check'} />
            <span className={classes.text}>{text}</span>
            {action !== undefined && (
              <Button
                isSmall
                onClick={() => {
                  close(id);
                  action.onChoose();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton isSmall icon="cross" label="Dismiss" onClick={() => close(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  );
};
