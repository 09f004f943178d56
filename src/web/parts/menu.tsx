import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import classes from './menu.module.css';

interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
  /** Why it can not be chosen now. */
  readonly disabledBecause?: string | undefined;
  readonly onChoose: () => void;
}

interface MenuProps {
  readonly label: ReactNode;
  /** For those who do not see what is on the button. */
  readonly name?: string;
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
  readonly isSmall?: boolean;
  readonly look?: 'plain' | 'quiet' | 'primary';
  readonly isIconOnly?: boolean;
}

const MARGIN = 8;

/** Below its button and ending where that ends, as far as the window has room; above it where it has none below. */
const placeBelow = (button: HTMLElement | null, list: HTMLElement | null): { top: number; left: number } => {
  const at = button?.getBoundingClientRect();
  const size = list?.getBoundingClientRect();
  if (at === undefined || size === undefined) return { top: 0, left: 0 };
  const below = at.bottom + MARGIN / 2;
  const hasRoom = below + size.height + MARGIN <= window.innerHeight;
  return {
    top: Math.max(MARGIN, hasRoom ? below : at.top - size.height - MARGIN / 2),
    left: Math.max(MARGIN, Math.min(at.right - size.width, window.innerWidth - size.width - MARGIN)),
  };
};

/** A button that opens a list of things to do: arrows move in it, Escape closes it. */
export const Menu = ({ label, name, icon, items, isSmall = false, look = 'plain', isIconOnly = false }: MenuProps) => {
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState({ top: 0, left: 0 });
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    list.current?.showPopover();
    setPlace(placeBelow(root.current, list.current));
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const close = (): void => setOpen(false);
    const leave = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    // What it stands at moves away below it.
    const scrolled = (event: Event): void => {
      if (!list.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    window.addEventListener('resize', close);
    document.addEventListener('scroll', scrolled, true);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      window.removeEventListener('resize', close);
      document.removeEventListener('scroll', scrolled, true);
    };
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all.at(to % all.length)?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the menu inside, wherever in it the focus is
    <div className={classes.menu} ref={root} onKeyDown={onKeyDown}>
      <Button
        look={look}
        isSmall={isSmall}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={name}
        title={name}
        onClick={() => setOpen(!isOpen)}
      >
        {isIconOnly ? null : label}
        {!isIconOnly && <Icon name="down" size={12} />}
      </Button>
      {isOpen && (
        <div ref={list} className={classes.list} role="menu" id={id} popover="manual" style={place}>
          {items.map(({ label: words, icon: drawn, isDangerous = false, disabledBecause, onChoose }) => (
            <button
              key={words}
              type="button"
              role="menuitem"
              className={`${classes.item} ${isDangerous ? classes.dangerous : ''}`}
              aria-disabled={disabledBecause !== undefined}
              title={disabledBecause}
              onClick={() => {
                if (disabledBecause !== undefined) return;
                close();
                onChoose();
              }}
            >
              {drawn !== undefined && <Icon name={drawn} />}
              <span>{words}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
