import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly isSmall?: boolean;
}

const classNames = ({ look = 'plain', isSmall = false }: Look, isIcon = false): string =>
  [classes.button, look === 'plain' ? '' : classes[look], isSmall ? classes.small : '', isIcon ? classes.icon : '']
    .filter((name) => name !== '')
    .join(' ');

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  readonly icon?: IconName;
}

export const Button = ({ look, isSmall, icon, children, ...rest }: ButtonProps) => (
  <button type="button" className={classNames({ look, isSmall })} {...rest}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </button>
);

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'>, Look {
  readonly icon: IconName;
  /** What it does, for those who do not see it; shown when it is pointed at. */
  readonly label: string;
}

export const IconButton = ({ look = 'quiet', isSmall, icon, label, ...rest }: IconButtonProps) => (
  <button type="button" className={classNames({ look, isSmall }, true)} aria-label={label} title={label} {...rest}>
    <Icon name={icon} />
  </button>
);

/** A link that looks like a button: for what is fetched and saved. */
export const ButtonLink = ({ href, icon, children, ...look }: Look & { href: string; icon?: IconName; children: ReactNode }) => (
  <a className={classNames(look)} href={href} download>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </a>
);

/** One that leads to another view. */
export const PlaceButton = ({ href, icon, children, ...look }: Look & { href: string; icon?: IconName; children: ReactNode }) => (
  <Link className={classNames(look)} href={href}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </Link>
);
