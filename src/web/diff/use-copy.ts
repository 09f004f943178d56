import { useToast } from '../parts/toasts.tsx';

/** Copies a text, or one that has to be fetched first, and says that it did. */
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
