import { IconButton } from './button.tsx';
import classes from './copyable.module.css';
import { useToast } from './toasts.tsx';
import { visibleLines } from './words.ts';

/** Copies a text, or one that has to be fetched first, and says so. */
export const useCopy = (): ((what: string, text: string | Promise<string>) => Promise<void>) => {
  const { toast, toastTrouble } = useToast();
  return async (what, text) => {
    try {
      await navigator.clipboard.writeText(await text);
      toast({ tone: 'good', text: `${what} copied` });
    } catch (error) {
      toastTrouble(error);
    }
  };
};

/** `what` begins with a capital: it is said alone. */
export const CopyButton = ({ text, what, label }: { text: string; what: string; label: string }) => {
  const copy = useCopy();
  return <IconButton isSmall icon="copy" label={label} onClick={() => void copy(what, text)} />;
};

/** A command or a text to be taken elsewhere: as it is, whatever of it can not be seen. */
export const Copyable = ({ text, what }: { text: string; what: string }) => (
  <div className={classes.copyable}>
    <pre className={classes.text}>
      <code>{visibleLines(text)}</code>
    </pre>
    <CopyButton text={text} what={what} label={`Copy the ${what.toLowerCase()}`} />
  </div>
);
