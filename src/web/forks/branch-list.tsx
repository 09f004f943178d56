import { memo, type RefObject } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Time } from '../parts/time.tsx';
import { number, shortId, visible } from '../parts/words.ts';
import classes from './branch-list.module.css';
import type { Row } from './branch-rows.ts';
import { titleOf } from './fork-tree.ts';
import {
  BranchBadges,
  BranchCode,
  ForkWords,
  itemProps,
  lengthOf,
  type Marked,
  only,
  sameMarks,
  Tree,
  type TreeActions,
} from './tree-items.tsx';

interface BranchListProps extends Marked, TreeActions {
  readonly tree: RefObject<HTMLDivElement | null>;
}

/** The same tree as a list: for narrow screens, and for who likes it better. */
export const BranchList = ({ tree, onChoose, onEnter, onFold, onActive, ...marked }: BranchListProps) => (
  <div className={classes.box}>
    <Tree rows={marked.rows} {...{ tree, onChoose, onEnter, onFold, onActive }} className={classes.tree}>
      {marked.rows.map((row) => (
        <Item key={row.branch.branch} row={row} {...only(row, marked)} />
      ))}
    </Tree>
  </div>
);

/** How deep it goes before the number of the level takes the place of more room. */
const DEEPEST = 6;

const Item = memo(({ row, ...marked }: { row: Row } & Marked) => {
  const { branch, level, below, isFolded, isOnTheWay } = row;
  return (
    <div
      {...itemProps(row, marked)}
      className={classes.item}
      style={{ paddingLeft: `calc(var(--step) * ${Math.min(level, DEEPEST + 1) - 1} + 4px)` }}
      data-dim={isOnTheWay || undefined}
    >
      <span className={classes.fold} data-fold={below > 0 || undefined} aria-hidden="true">
        {below > 0 && <Icon name={isFolded ? 'right' : 'down'} />}
      </span>
      <span className={classes.words}>
        <span className={classes.head}>
          {level > DEEPEST && (
            <span className={classes.level} aria-hidden="true">
              {level}
            </span>
          )}
          <span className={classes.title}>
            <bdi>{titleOf(branch)}</bdi>
          </span>
          <BranchBadges branch={branch} {...marked} />
        </span>
        <span className={classes.facts}>
          <span>{lengthOf(branch)}</span>
          <BranchCode branch={branch} />
          <span title={`Session ${visible(branch.sessionId)}`}>session {shortId(visible(branch.sessionId))}</span>
          {branch.lastAt !== null && <Time at={branch.lastAt} />}
          {isFolded && <span>{number(below)} folded</span>}
        </span>
        <ForkWords row={row} forks={marked.forks} />
      </span>
    </div>
  );
}, sameMarks);
