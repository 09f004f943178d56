import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import classes from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Stays open until what it does is done: Escape does nothing. */
  readonly isBusy?: boolean;
  readonly size?: 'small' | 'medium' | 'large';
  /** Below all of it, always in sight. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Over everything else; the browser keeps the focus inside and gives it back. What has `autoFocus` gets it first. */
export const Dialog = ({ title, onClose, isBusy = false, size = 'medium', actions, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed while it is still there: taken out of the page first, it could not give the focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={`${classes.dialog} ${classes[size]}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // A browser lets a dialog refuse to be closed but once.
        if (event.key === 'Escape' && isBusy) event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
    >
      <div className={classes.inside}>
        <header className={classes.head}>
          <h2 id={id}>{title}</h2>
          <IconButton icon="cross" label="Close" onClick={onClose} disabled={isBusy} />
        </header>
        <div className={classes.body}>{children}</div>
        {actions !== undefined && <footer className={classes.foot}>{actions}</footer>}
      </div>
    </dialog>
  );
};
