import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Something that a person can have done: by its keys, or by its name in the palette. */
export interface Command {
  readonly label: string;
  /** One key (`?`), with Control or ⌘ (`mod+k`), or two after each other (`g s`). */
  readonly keys?: string;
  /** Where it belongs in the help. */
  readonly group: string;
  readonly onRun: () => void;
}

interface Commands {
  readonly register: (commands: readonly Command[]) => () => void;
  /** Those of all views on the screen. */
  readonly all: () => readonly Command[];
}

const CommandContext = createContext<Commands>({ register: () => () => {}, all: () => [] });

/** How long the second of two keys may take. */
const PATIENCE = 900;

/** Keys are for who types text there, and for an open dialog alone. */
const isElsewhere = ({ target }: KeyboardEvent): boolean => {
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isSwitch(target)
  );
};

const isSwitch = (target: HTMLElement): boolean => target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type);

const nameOf = ({ key, metaKey, ctrlKey }: KeyboardEvent): string =>
  `${metaKey || ctrlKey ? 'mod+' : ''}${key.length === 1 ? key : key.toLowerCase()}`;

export const CommandProvider = ({ children }: { children: ReactNode }) => {
  const sets = useRef(new Set<readonly Command[]>());
  const register = useCallback((commands: readonly Command[]) => {
    sets.current.add(commands);
    return () => void sets.current.delete(commands);
  }, []);
  const all = useCallback((): readonly Command[] => [...sets.current].flat(), []);
  useLayoutEffect(() => {
    let first = '';
    let timer = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.altKey || event.defaultPrevented || isElsewhere(event)) return;
      const key = nameOf(event);
      const commands = all();
      const wanted = [`${first} ${key}`.trim(), key];
      // What was opened last wins.
      const command = wanted.map((keys) => commands.findLast((one) => one.keys === keys)).find((one) => one !== undefined);
      window.clearTimeout(timer);
      first = command === undefined && commands.some(({ keys }) => keys?.startsWith(`${key} `)) ? key : '';
      timer = window.setTimeout(() => {
        first = '';
      }, PATIENCE);
      if (command === undefined) return;
      event.preventDefault();
      command.onRun();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [all]);
  return <CommandContext value={useMemo(() => ({ register, all }), [register, all])}>{children}</CommandContext>;
};

/** Offers commands for as long as the view is there. */
export const useCommands = (commands: readonly Command[]): void => {
  const { register } = useContext(CommandContext);
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  const words = JSON.stringify(commands.map(({ label, keys, group }) => [label, keys, group]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: registered anew when what is offered changes, not with each rendering
  useLayoutEffect(
    () => register(commands.map((command, at) => ({ ...command, onRun: () => newest.current[at]?.onRun() }))),
    [register, words],
  );
};

export const useAllCommands = (): (() => readonly Command[]) => useContext(CommandContext).all;

/** For opening the palette and the help from elsewhere. */
export const useOpen = (): readonly [boolean, () => void, () => void] => {
  const [isOpen, setOpen] = useState(false);
  return [isOpen, useCallback(() => setOpen(true), []), useCallback(() => setOpen(false), [])];
};
