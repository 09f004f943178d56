import { type ReactNode, useRef } from 'react';
import { Link } from 'wouter';
import { useIsLive } from '../client/live.tsx';
import { useRefreshing } from '../client/queries.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { useWorkspaces } from '../client/workspaces.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { visible } from '../parts/words.ts';
import { useCommands, useOpen } from './commands.tsx';
import { Help } from './help.tsx';
import { Palette } from './palette.tsx';
import type { Place } from './place.ts';
import { useGo, usePlaces } from './places.ts';
import classes from './shell.module.css';
import { useTheme } from './theme.ts';

/** What is around every view of a workspace. */
export const Shell = ({ view, children }: { view: Place['view']; children: ReactNode }) => {
  useRefreshing();
  const places = usePlaces();
  const go = useGo();
  const search = useRef<HTMLInputElement>(null);
  const { isDark, setTheme } = useTheme();
  const [isPaletteOpen, openPalette, closePalette] = useOpen();
  const [isHelpOpen, openHelp, closeHelp] = useOpen();
  const switchTheme = (): void => setTheme(isDark ? 'light' : 'dark');
  const group = 'Everywhere';
  useCommands([
    { group, label: 'Open the list of commands', keys: 'mod+k', onRun: openPalette },
    { group, label: 'Show the keys', keys: '?', onRun: openHelp },
    { group, label: 'Search', keys: '/', onRun: () => search.current?.focus() },
    { group, label: 'Sessions', keys: 'g s', onRun: () => go(places.sessions()) },
    { group, label: 'Rollback history', keys: 'g r', onRun: () => go(places.rollbacks()) },
    { group, label: 'Reflog and health', keys: 'g h', onRun: () => go(places.git()) },
    { group, label: 'Settings', keys: 'g t', onRun: () => go(places.settings()) },
    { group, label: isDark ? 'Light colours' : 'Dark colours', onRun: switchTheme },
    { group, label: 'Colours of the system', onRun: () => setTheme('system') },
  ]);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.bar}>
        <Link href={places.sessions()} className={classes.brand ?? ''}>
          <Icon name="back" size={18} />
          <span>Retake</span>
        </Link>
        <WorkspaceSwitcher />
        <nav className={classes.nav} aria-label="Views">
          <NavLink href={places.sessions()} isHere={!ELSEWHERE.includes(view)}>
            Sessions
          </NavLink>
          <NavLink href={places.rollbacks()} isHere={view === 'rollbacks'}>
            Rollbacks
          </NavLink>
          <NavLink href={places.git()} isHere={view === 'git'}>
            Reflog &amp; health
          </NavLink>
          <NavLink href={places.settings()} isHere={view === 'settings'}>
            Settings
          </NavLink>
        </nav>
        <search className={classes.search}>
          <Icon name="search" />
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const words = search.current?.value.trim() ?? '';
              if (words !== '') go(places.search(words));
            }}
          >
            <input ref={search} type="search" aria-label="Search names, notes and prompts" placeholder="Search  /" />
          </form>
        </search>
        <div className={classes.tools}>
          <LiveMark />
          <IconButton icon="keyboard" label="Keys and commands" onClick={openPalette} />
          <IconButton icon={isDark ? 'sun' : 'moon'} label={isDark ? 'Light colours' : 'Dark colours'} onClick={switchTheme} />
        </div>
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      {isPaletteOpen && <Palette onClose={closePalette} />}
      {isHelpOpen && <Help onClose={closeHelp} />}
    </div>
  );
};

/** Views that are not about sessions. */
const ELSEWHERE: readonly Place['view'][] = ['rollbacks', 'git', 'search', 'settings', 'nothing'];

const NavLink = ({ href, isHere, children }: { href: string; isHere: boolean; children: ReactNode }) => (
  <Link href={href} className={classes.link ?? ''} aria-current={isHere ? 'page' : undefined}>
    {children}
  </Link>
);

const LiveMark = () => {
  const isLive = useIsLive();
  return (
    <span className={classes.live} data-live={isLive} role="status">
      {isLive ? 'live' : 'not connected'}
    </span>
  );
};

const WorkspaceSwitcher = () => {
  const { data: all = [] } = useWorkspaces();
  const current = useWorkspaceId();
  const go = useGo();
  return (
    <select
      className={classes.switcher}
      aria-label="Workspace"
      value={current}
      onChange={({ target }) => go(`/w/${encodeURIComponent(target.value)}`)}
    >
      {all.map(({ id, root, isThere }) => (
        <option key={id} value={id}>
          {visible(root)}
          {isThere ? '' : ' (gone)'}
        </option>
      ))}
      {!all.some(({ id }) => id === current) && <option value={current}>{visible(current)}</option>}
    </select>
  );
};
