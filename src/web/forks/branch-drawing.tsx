import { memo, type PointerEvent, type RefObject, useMemo, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { Time } from '../parts/time.tsx';
import { number, shortId, visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import classes from './branch-drawing.module.css';
import type { Row } from './branch-rows.ts';
import { titleOf } from './fork-tree.ts';
import { CARD, draw, FAR, type Point } from './geometry.ts';
import {
  BranchBadges,
  BranchCode,
  codeWords,
  ForkWords,
  itemProps,
  lengthOf,
  type Marked,
  only,
  sameMarks,
  Tree,
  type TreeActions,
} from './tree-items.tsx';
import { useZoom } from './use-zoom.ts';

interface BranchDrawingProps extends Marked, TreeActions {
  readonly tree: RefObject<HTMLDivElement | null>;
  /** The branches that lead to where one is. */
  readonly way: ReadonlySet<string>;
}

/** The branches as a drawn tree, depth to the right, in a box of its own. */
export const BranchDrawing = ({ tree, way, onChoose, onEnter, onFold, onActive, ...marked }: BranchDrawingProps) => {
  const { rows, forks, active } = marked;
  const { width, height, cards, lines, marks } = useMemo(() => draw(rows, forks, way), [rows, forks, way]);
  const { box, scale, zoom, fit } = useZoom({ width, height }, cards[rows.findIndex(({ branch }) => branch.branch === active)]);
  const group = 'Fork tree';
  useCommands([
    { group, label: 'Fit the tree', keys: 'f', onRun: fit },
    { group, label: 'Larger', keys: '+', onRun: () => zoom(1) },
    { group, label: 'Smaller', keys: '-', onRun: () => zoom(-1) },
  ]);
  return (
    <div className={classes.frame}>
      <div className={classes.box} ref={box} {...usePanning(box)}>
        <div className={classes.sized} style={{ width: width * scale, height: height * scale }}>
          <div className={classes.scaled} style={{ width, height, transform: `scale(${scale})` }} data-far={scale < FAR || undefined}>
            <svg className={classes.lines} width={width} height={height} aria-hidden="true">
              {lines.map(({ to, path, isWay }) => (
                <path key={to} d={path} className={isWay ? classes.way : classes.line} />
              ))}
              {marks.map(({ x, y, fork }) => (
                <circle key={fork.children[0]} cx={x} cy={y} r="6" className={fork.checkpoint === null ? classes.unknown : classes.known}>
                  <title>{`Fork with ${fork.children.length} ways, ${codeWords(fork)}`}</title>
                </circle>
              ))}
            </svg>
            <Tree {...{ rows, tree, onChoose, onEnter, onFold, onActive }} className={classes.tree}>
              {rows.map((row, at) => (
                <Card key={row.branch.branch} row={row} place={cards[at] ?? ORIGIN} {...only(row, marked)} />
              ))}
            </Tree>
          </div>
        </div>
      </div>
      <div className={classes.zoom}>
        <Button isSmall look="quiet" aria-label="Smaller" title="Smaller" onClick={() => zoom(-1)}>
          −
        </Button>
        <span className={classes.scale}>{Math.round(scale * 100)} %</span>
        <Button isSmall look="quiet" aria-label="Larger" title="Larger" onClick={() => zoom(1)}>
          +
        </Button>
        <Button isSmall look="quiet" onClick={fit}>
          Fit
        </Button>
      </div>
    </div>
  );
};

const ORIGIN: Point = { x: 0, y: 0 };

const Card = memo(
  ({ row, place, ...marked }: { row: Row; place: Point } & Marked) => {
    const { branch, below, isFolded, isOnTheWay } = row;
    return (
      <div
        {...itemProps(row, marked)}
        className={classes.card}
        style={{ left: place.x, top: place.y, width: CARD.width, height: CARD.height }}
        data-current={branch.current || undefined}
        data-unrecorded={branch.files === null || undefined}
        data-dim={isOnTheWay || undefined}
        data-compared={branch.branch === marked.compared || undefined}
      >
        <span className={classes.badges}>
          <BranchBadges branch={branch} {...marked} />
        </span>
        <span className={classes.inside}>
          <span className={classes.title} title={titleOf(branch)}>
            <bdi>{titleOf(branch)}</bdi>
          </span>
          <span className={classes.fact}>{lengthOf(branch)}</span>
          <span className={classes.fact}>
            <BranchCode branch={branch} />
          </span>
          <span className={classes.fact}>
            <span title={`Session ${visible(branch.sessionId)}`}>session {shortId(visible(branch.sessionId))}</span>
            {branch.lastAt !== null && <Time at={branch.lastAt} />}
          </span>
          <ForkWords row={row} forks={marked.forks} />
        </span>
        {below > 0 && (
          <span className={classes.fold} data-fold title={isFolded ? `Unfold ${number(below)}` : 'Fold'} aria-hidden="true">
            {isFolded ? `+${number(below)}` : '−'}
          </span>
        )}
      </div>
    );
  },
  (a, b) => a.place.x === b.place.x && a.place.y === b.place.y && sameMarks(a, b),
);

/** Pulling at what is between the branches moves the drawing; a finger does so anyway. */
const usePanning = (box: RefObject<HTMLDivElement | null>) => {
  const last = useRef<Point>(undefined);
  const end = (): void => {
    last.current = undefined;
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      const element = box.current;
      if (element === null || event.pointerType !== 'mouse' || event.button !== 0) return;
      if ((event.target as Element).closest('[role=treeitem]') !== null || isOnBars(event, element)) return;
      last.current = { x: event.clientX, y: event.clientY };
      element.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent): void => {
      if (last.current === undefined) return;
      box.current?.scrollBy(last.current.x - x, last.current.y - y);
      last.current = { x, y };
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
};

const isOnBars = ({ target, nativeEvent }: PointerEvent, box: HTMLElement): boolean =>
  target === box && (nativeEvent.offsetX > box.clientWidth || nativeEvent.offsetY > box.clientHeight);
