import type { KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { Badge } from '../parts/badge.tsx';
import { Counts } from '../parts/counts.tsx';
import { count } from '../parts/words.ts';
import type { Row } from './branch-rows.ts';
import type { Branch, Fork } from './fork-tree.ts';

/** What is told of the rows on the screen, whether they are drawn or listed. */
export interface Marked {
  readonly rows: readonly Row[];
  readonly forks: readonly Fork[];
  /** The one that keys are for. */
  readonly active: string | undefined;
  /** The one whose panel is open. */
  readonly selected: string | undefined;
  /** The first of two that are to be compared. */
  readonly compared: string | undefined;
  /** The branch that the session is on. */
  readonly own: string | undefined;
}

export interface TreeActions {
  readonly onChoose: (row: Row) => void;
  /** By Enter: the focus goes along. */
  readonly onEnter: (row: Row) => void;
  readonly onFold: (row: Row, isFolded: boolean) => void;
  readonly onActive: (row: Row) => void;
}

interface TreeProps extends TreeActions {
  readonly rows: readonly Row[];
  readonly tree: RefObject<HTMLDivElement | null>;
  readonly className: string | undefined;
  /** One item for each row, in their order. */
  readonly children: ReactNode;
}

/** A tree of items for keys, pointers and those who listen. Arrows are keys of the whole view. */
export const Tree = ({ rows, tree, className, children, onChoose, onEnter, onFold, onActive }: TreeProps) => {
  const rowOf = (target: EventTarget): Row | undefined => {
    const item = (target as Element).closest('[role=treeitem]');
    return item === null || tree.current === null ? undefined : rows[[...tree.current.children].indexOf(item)];
  };
  const onClick = ({ target }: MouseEvent): void => {
    const row = rowOf(target);
    if (row === undefined) return;
    if ((target as Element).closest('[data-fold]') !== null) onFold(row, !row.isFolded);
    else onChoose(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowOf(event.target);
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = tree.current?.children ?? [];
    if (event.key === 'Enter') onEnter(row);
    else if (event.key === ' ') onFold(row, !row.isFolded);
    else if (event.key === 'Home') focusItem(items[0]);
    else if (event.key === 'End') focusItem(items[items.length - 1]);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Branches"
      className={className}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const row = rowOf(target);
        if (row !== undefined) onActive(row);
      }}
    >
      {children}
    </div>
  );
};

export const focusItem = (item: Element | null | undefined): void => {
  if (!(item instanceof HTMLElement)) return;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

/** Of what is marked, what concerns the row: others are not rendered again when the focus moves. */
export const only = ({ branch: { branch } }: Row, { active, selected, compared, ...rest }: Marked): Marked => {
  const own = (id: string | undefined): string | undefined => (id === branch ? id : undefined);
  return { ...rest, active: own(active), selected: own(selected), compared: own(compared) };
};

/** Whether an item looks the same as before. */
export const sameMarks = (a: Marked & { readonly row: Row }, b: Marked & { readonly row: Row }): boolean =>
  (['row', 'forks', 'own', 'active', 'selected', 'compared'] as const).every((name) => a[name] === b[name]);

/** What assistive programs are told of a row. */
export const itemProps = ({ branch, level, position, siblings, below, isFolded }: Row, { active, selected }: Marked) =>
  ({
    role: 'treeitem',
    tabIndex: branch.branch === active ? 0 : -1,
    'aria-level': level,
    'aria-posinset': position,
    'aria-setsize': siblings,
    'aria-expanded': below === 0 ? undefined : !isFolded,
    'aria-selected': branch.branch === selected,
    'aria-current': branch.current ? 'true' : undefined,
  }) as const;

/** Where one is, in words. */
export const BranchBadges = ({ branch: { branch, current }, own, compared }: { branch: Branch } & Pick<Marked, 'own' | 'compared'>) => (
  <>
    {current && <Badge tone="accent">You are here</Badge>}
    {!current && branch === own && <Badge title="The branch that this session is on">this session</Badge>}
    {branch === compared && <Badge tone="info">to be compared</Badge>}
  </>
);

/** What changed on a branch. */
export const BranchCode = ({ branch: { files, insertions, deletions } }: { branch: Branch }) => {
  if (files === null) return <span>code not recorded</span>;
  return files === 0 ? <span>no code changed</span> : <Counts files={files} insertions={insertions ?? 0} deletions={deletions ?? 0} />;
};

export const lengthOf = ({ turns, steps, checkpoints }: Branch): string =>
  [count(turns, 'turn'), count(steps, 'step'), count(checkpoints, 'checkpoint')].join(' · ');

/** What those who do not see the lines are told of the fork behind a branch. */
export const ForkWords = ({ row: { branch }, forks }: { row: Row; forks: readonly Fork[] }) => {
  const fork = forks.find(({ children }) => branch.children.some((child) => children.includes(child.branch)));
  if (fork === undefined) return null;
  return (
    <span className="visually-hidden">
      {count(fork.children.length, 'way')} from here, {codeWords(fork)}
    </span>
  );
};

export const codeWords = ({ checkpoint, reason }: Fork): string =>
  checkpoint === null ? `code not known: ${reason ?? 'it was not recorded'}` : 'code known';
