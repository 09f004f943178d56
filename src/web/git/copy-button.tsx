import { useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { useToast } from '../parts/toasts.tsx';

const SHOWN = 1500;

/** Puts a text where it can be pasted from. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const { toastTrouble } = useToast();
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      window.setTimeout(() => setDone(false), SHOWN);
    } catch (error) {
      toastTrouble(error);
    }
  };
  return <IconButton isSmall icon={isDone ? 'check' : 'copy'} label={isDone ? 'Copied' : label} onClick={() => void copy()} />;
};
