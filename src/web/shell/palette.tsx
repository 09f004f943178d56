import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { type Command, useAllCommands } from './commands.tsx';
import { Keys } from './keys.tsx';
import classes from './palette.module.css';

/** Whether all words occur in it, in whatever order. */
const fits = ({ label, group }: Command, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${group} ${label}`.toLowerCase().includes(word));

/** Everything that can be done here, by its name. */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const all = useAllCommands();
  const commands = useMemo(() => all(), [all]);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const found = commands.filter((command) => fits(command, words));
  const chosen = Math.min(at, found.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // After the dialog gave the focus back.
    window.setTimeout(command.onRun);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="What would you like to do?" onClose={onClose}>
      <input
        data-autofocus
        className={classes.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        aria-label="Command"
        placeholder="Type a few letters of it"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label="Commands" className={classes.list}>
        {found.map((command, order) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys
          <div
            key={`${command.group} ${command.label}`}
            id={`${id}-${order}`}
            role="option"
            tabIndex={-1}
            aria-selected={order === chosen}
            className={classes.option}
            onClick={() => run(command)}
          >
            <span className={classes.group}>{command.group}</span>
            <span>{command.label}</span>
            {command.keys !== undefined && <Keys keys={command.keys} />}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={classes.none}>Nothing of that name can be done here.</p>}
    </Dialog>
  );
};
