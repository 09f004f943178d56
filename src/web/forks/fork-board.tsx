import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ForkTree } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Choice, TextField } from '../parts/field.tsx';
import { Empty } from '../parts/states.tsx';
import { useToast } from '../parts/toasts.tsx';
import { number } from '../parts/words.ts';
import { useSearchParams } from '../shell/address.ts';
import { useCommands } from '../shell/commands.tsx';
import { useGo, usePlaces } from '../shell/places.ts';
import { BranchDrawing } from './branch-drawing.tsx';
import { BranchList } from './branch-list.tsx';
import { BranchPanel } from './branch-panel.tsx';
import { areKin, foldedAtFirst, kinTogether, type Row, rowsOf, wayTo } from './branch-rows.ts';
import { type Branch, forkOf, titleOf } from './fork-tree.ts';
import classes from './forks-view.module.css';
import { Legend } from './legend.tsx';
import { focusItem, type Marked, type TreeActions } from './tree-items.tsx';
import { useForkPlans } from './use-fork-plans.ts';
import { useIsNarrow } from './use-narrow.ts';
import { type Direction, walkDrawing, walkList } from './walk.ts';

interface ForkBoardProps {
  readonly session: string;
  readonly data: ForkTree;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
}

const EVERYTHING = { isFolded: () => false, words: '' };

/** The tree with all that is around it: what is shown of it, which branch is looked at, and which two are compared. */
export const ForkBoard = ({ session, data, isAll, onAll }: ForkBoardProps) => {
  const { forks, breadcrumbs } = data;
  const isNarrow = useIsNarrow();
  const [isList, setList] = useState(false);
  const isDrawn = !isList && !isNarrow;
  const tree = useMemo(() => kinTogether(data.tree, data.forks), [data]);
  const all = useMemo(() => rowsOf(tree, EVERYTHING), [tree]);
  const own = breadcrumbs.at(-1)?.branch;
  const present = all.find(({ branch }) => branch.current)?.branch;
  const way = useMemo(() => wayOf(tree, present?.branch ?? own), [tree, present, own]);
  const [selected, select] = useSelected(all);
  const here = selected?.branch.branch ?? present?.branch ?? own;
  const [folded, setFolded] = useState(() => foldedAtFirst(tree, here));
  const [words, setWords] = useState('');
  const rows = useMemo(() => rowsOf(tree, { isFolded: (id) => folded.has(id), words }), [tree, folded, words]);
  const [wanted, setActive] = useState(here);
  const active = (rows.find(({ branch }) => branch.branch === wanted) ?? rows[0])?.branch;
  const [compared, setCompared] = useState<Branch>();
  const items = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const places = usePlaces();
  const go = useGo();
  const { switchTo } = useForkPlans();
  const { toast } = useToast();

  const focusAt = (at: number): void => focusItem(items.current?.children[at]);
  const focusActive = (): void => focusAt(rows.findIndex(({ branch }) => branch === active));
  const choose = ({ branch }: Row): void => {
    setActive(branch.branch);
    if (compared === undefined) select(branch.branch);
    else if (areKin(data, compared.branch, branch.branch)) compareWith(compared, branch);
    else toast({ tone: 'bad', text: 'They are of different conversations: there is nothing that both went out from' });
  };
  const compareWith = (one: Branch, other: Branch): void => {
    setCompared(undefined);
    if (one.branch !== other.branch) go(places.compare(session, one.branch, other.branch));
  };
  const fold = ({ branch: { branch, children } }: Row, isFolded: boolean): void => {
    if (children.length === 0) return;
    const next = new Set(folded);
    if (isFolded) next.add(branch);
    else next.delete(branch);
    setFolded(next);
  };
  const actions: TreeActions = {
    onChoose: choose,
    onEnter: (row) => {
      choose(row);
      // After the panel came up.
      window.setTimeout(() => heading.current?.focus());
    },
    onFold: fold,
    onActive: ({ branch }) => setActive(branch.branch),
  };
  const walk = (direction: Direction): void => {
    const at = rows.findIndex(({ branch }) => branch === active);
    const row = rows[at];
    // The first key only shows where one is.
    const isThere = items.current?.contains(document.activeElement) ?? false;
    const step = isThere ? (isDrawn ? walkDrawing : walkList)(rows, at, direction) : { to: at };
    if ('to' in step) focusAt(step.to);
    else if (row !== undefined) fold(row, step.fold);
  };
  const compareFrom = (branch: Branch): void => {
    setCompared(branch);
    if (isNarrow) select(undefined);
    focusActive();
  };
  const close = (): void => {
    if (compared === undefined) select(undefined);
    setCompared(undefined);
    focusActive();
  };
  const onCompareKey = (): void => {
    const row = rows.find(({ branch }) => branch === active);
    if (row === undefined) return;
    if (compared === undefined) compareFrom(row.branch);
    else choose(row);
  };
  // The panel takes some of the room.
  const shownAt = rows.findIndex(({ branch }) => branch.branch === selected?.branch.branch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another is selected, not when the tree changes
  useEffect(() => {
    items.current?.children[shownAt]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected?.branch.branch]);
  const group = 'Fork tree';
  useCommands([
    { group, label: isDrawn ? 'The branch below' : 'Next branch', keys: 'arrowdown', onRun: () => walk('down') },
    { group, label: isDrawn ? 'The branch above' : 'Previous branch', keys: 'arrowup', onRun: () => walk('up') },
    { group, label: 'Into the branch', keys: 'arrowright', onRun: () => walk('right') },
    { group, label: 'Back to its parent', keys: 'arrowleft', onRun: () => walk('left') },
    { group, label: compared === undefined ? 'Compare the branch with another' : 'Compare with this one', keys: 'c', onRun: onCompareKey },
    {
      group,
      label: 'Switch to the branch',
      keys: 's',
      onRun: () => {
        if (active !== undefined && !active.current) switchTo(active);
      },
    },
    ...(compared === undefined && selected === undefined
      ? []
      : [{ group, label: compared === undefined ? 'Close the panel' : 'Do not compare', keys: 'escape', onRun: close }]),
    { group, label: isDrawn ? 'Show a list' : 'Show a drawing', onRun: () => setList(isDrawn) },
    { group, label: 'Unfold all branches', onRun: () => setFolded(new Set()) },
  ]);

  const marked: Marked = {
    rows,
    forks,
    own,
    active: active?.branch,
    selected: selected?.branch.branch,
    compared: compared?.branch,
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps the keys of what is inside from the tree */}
      <div className={classes.tools} onKeyDown={keepArrows}>
        {!isNarrow && (
          <Choice
            label="Shown as"
            value={isList ? 'list' : 'tree'}
            options={[
              { value: 'tree', label: 'Tree' },
              { value: 'list', label: 'List' },
            ]}
            onChange={(shown) => setList(shown === 'list')}
          />
        )}
        <Choice
          label="Conversations"
          value={isAll ? 'all' : 'own'}
          options={[
            { value: 'own', label: 'This conversation' },
            { value: 'all', label: 'All' },
          ]}
          onChange={(shown) => onAll(shown === 'all')}
        />
        <div className={classes.filter}>
          <TextField
            label="Filter by title"
            isLabelHidden
            type="search"
            placeholder="Filter by title"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </div>
        <Button isSmall look="quiet" onClick={() => setFolded(new Set())} disabled={folded.size === 0 || words !== ''}>
          Unfold all
        </Button>
        <Button isSmall look="quiet" onClick={() => setFolded(foldedAtFirst(tree, here, 0))} disabled={words !== ''}>
          Fold all
        </Button>
        <span className={classes.soft} role="status">
          {shownWords(rows, all.length, words)}
        </span>
      </div>
      {compared !== undefined && (
        <div className={classes.banner}>
          <p role="status">
            Which branch is “<bdi>{titleOf(compared)}</bdi>” to be compared with? Click it, or walk there and press Enter.
          </p>
          <Button isSmall onClick={() => setCompared(undefined)}>
            Cancel
          </Button>
        </div>
      )}
      <div className={classes.board} data-panel={selected !== undefined || undefined}>
        {rows.length === 0 ? (
          <Empty icon="search" title="No branch has such a title" />
        ) : isDrawn ? (
          <BranchDrawing {...marked} {...actions} tree={items} way={way} />
        ) : (
          <BranchList {...marked} {...actions} tree={items} />
        )}
        {selected !== undefined && (
          <BranchPanel
            key={selected.branch.branch}
            session={session}
            branch={selected.branch}
            parent={selected.parent?.branch}
            root={wayTo(tree, selected.branch.branch)[0]}
            present={present && areKin(data, present.branch, selected.branch.branch) ? present : undefined}
            fork={forkOf(forks, selected.branch.branch)}
            heading={heading}
            onCompare={() => compareFrom(selected.branch)}
            onClose={close}
          />
        )}
      </div>
      {isDrawn && <Legend />}
    </>
  );
};

/** The branch whose panel is open: in the address, so that it is open again for who comes back. */
const useSelected = (all: readonly Row[]): readonly [Row | undefined, (branch: string | undefined) => void] => {
  const [search, setSearch] = useSearchParams();
  const id = search.get('branch');
  const select = (branch: string | undefined): void => setSearch(branch === undefined ? {} : { branch }, { replace: true });
  return [id === null ? undefined : all.find(({ branch }) => branch.branch === id), select];
};

const wayOf = (tree: readonly Branch[], here: string | undefined): ReadonlySet<string> =>
  new Set(here === undefined ? [] : wayTo(tree, here).map(({ branch }) => branch));

const keepArrows = (event: KeyboardEvent): void => {
  if (event.key.startsWith('Arrow')) event.stopPropagation();
};

const shownWords = (rows: readonly Row[], total: number, words: string): string => {
  const found = rows.filter(({ isOnTheWay }) => !isOnTheWay).length;
  if (found === total) return '';
  return `${number(found)} of ${number(total)} ${words.trim() === '' ? 'shown' : 'found'}`;
};
