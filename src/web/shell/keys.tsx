import classes from './keys.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const NAMES: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  arrowdown: '↓',
  arrowup: '↑',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  escape: 'Esc',
};

/** Keys as they are on the keyboard. */
export const Keys = ({ keys }: { keys: string }) => (
  <span className={classes.keys}>
    {keys
      .split(/[ +]/)
      .filter((key) => key !== '')
      .map((key) => (
        <kbd key={key}>{NAMES[key] ?? key}</kbd>
      ))}
  </span>
);
