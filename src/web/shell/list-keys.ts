import { type RefObject, useRef } from 'react';
import { useCommands } from './commands.tsx';

interface ListKeys {
  readonly size: number;
  /** What the list is of, for the help. */
  readonly noun: string;
  readonly onOpen: (at: number) => void;
}

/** j and k walk through the links of a list, Enter opens the one with the focus. */
export const useListKeys = ({ size, noun, onOpen }: ListKeys): { readonly ref: RefObject<HTMLUListElement | null> } => {
  const ref = useRef<HTMLUListElement>(null);
  const links = (): HTMLElement[] => [...(ref.current?.querySelectorAll<HTMLElement>(':scope > li > a, :scope > li > button') ?? [])];
  const move = (by: number): void => {
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[at < 0 ? 0 : Math.max(0, Math.min(at + by, size - 1))]?.focus();
  };
  const group = 'List';
  useCommands([
    { group, label: `Next ${noun}`, keys: 'j', onRun: () => move(1) },
    { group, label: `Previous ${noun}`, keys: 'k', onRun: () => move(-1) },
    {
      group,
      label: `Open the ${noun}`,
      keys: 'o',
      onRun: () => onOpen(Math.max(0, links().indexOf(document.activeElement as HTMLElement))),
    },
  ]);
  return { ref };
};
