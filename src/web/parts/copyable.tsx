import { IconButton } from './button.tsx';
import classes from './copyable.module.css';
import { useToast } from './toasts.tsx';

/** Copies text, and says so. */
export const useCopy = (): ((text: string, what: string) => Promise<void>) => {
  const { toast } = useToast();
  return async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ text: `Copied ${what}` });
    } catch {
      toast({ tone: 'bad', text: 'The browser did not allow copying' });
    }
  };
};

/** A command or a text to be taken elsewhere. */
export const Copyable = ({ text, what }: { text: string; what: string }) => {
  const copy = useCopy();
  return (
    <div className={classes.copyable}>
      <pre className={classes.text}>
        <code>{text}</code>
      </pre>
      <IconButton icon="copy" label={`Copy ${what}`} onClick={() => void copy(text, what)} />
    </div>
  );
};
