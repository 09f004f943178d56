import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Plan, PlanStep } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Lines } from '../parts/counts.tsx';
import { TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { bytes, count, visible } from '../parts/words.ts';
import { type ChangeGroup, type GroupName, groupChanges, rowsOf } from './change-groups.ts';
import { choosable } from './chosen-paths.ts';
import { FileLook, type Looker } from './file-look.tsx';
import { PathName } from './path-name.tsx';
import classes from './plan-changes.module.css';
import { isFolder, keyOfPath } from './plan-words.ts';

/** Some of the changes only. */
export interface Choosing {
  readonly leftOut: ReadonlySet<string>;
  readonly onChange: (leftOut: ReadonlySet<string>) => void;
}

interface PlanChangesProps {
  /** What would be done. */
  readonly plan: Plan;
  /** What could be done, of which the plan may be a part. */
  readonly whole: Plan;
  readonly choosing?: Choosing | undefined;
  readonly looker?: Looker | undefined;
}

const TITLES: Readonly<Record<GroupName, string>> = { create: 'Create', restore: 'Restore', delete: 'Delete' };

/** From here on it is worth a filter. */
const MANY = 8;

/** Every single change, by what happens: as many as there are, of which those in sight are drawn. */
export const PlanChanges = ({ plan, whole, choosing, looker }: PlanChangesProps) => {
  const [words, setWords] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<GroupName>>(new Set());
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => groupChanges(whole.operations, words), [whole, words]);
  const rows = useMemo(() => rowsOf(groups, folded), [groups, folded]);
  const inPlan = useMemo(() => new Set(plan.operations.map(keyOfPath)), [plan]);
  const own = useMemo(() => choosable(whole.operations), [whole]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
  });
  const leaveOut = (steps: readonly PlanStep[], isOut: boolean): void => {
    const keys = steps.map(keyOfPath).filter((key) => own.has(key));
    const leftOut = new Set(choosing?.leftOut);
    for (const key of keys) isOut ? leftOut.add(key) : leftOut.delete(key);
    choosing?.onChange(leftOut);
  };
  return (
    <section className={classes.changes} aria-label="Changes">
      <div className={classes.head}>
        <h3>What changes</h3>
        {whole.operations.length > MANY && (
          <TextField
            label="Filter by path"
            isLabelHidden
            type="search"
            placeholder="Filter by path"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        )}
      </div>
      {rows.length === 0 && words !== '' && (
        <p className={classes.soft}>None of {count(whole.operations.length, 'path')} has this in its name.</p>
      )}
      <div ref={scroller} className={classes.scroller} hidden={rows.length === 0}>
        <ul style={{ height: virtual.getTotalSize() }} className={classes.rows}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes.row}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
              >
                {row.kind === 'group' ? (
                  <GroupRow
                    group={row.group}
                    isFolded={folded.has(row.group.group)}
                    onFold={() => setFolded(toggled(folded, row.group.group))}
                    check={
                      choosing && (
                        <GroupCheck
                          group={row.group}
                          own={own}
                          leftOut={choosing.leftOut}
                          onChange={(isIn) => leaveOut(row.group.steps, !isIn)}
                        />
                      )
                    }
                  />
                ) : (
                  <StepRow
                    step={row.step}
                    isIn={inPlan.has(row.key)}
                    choice={
                      choosing && {
                        isChosen: !choosing.leftOut.has(row.key),
                        isOwn: own.has(row.key),
                        onChange: (isIn) => leaveOut([row.step], !isIn),
                      }
                    }
                    looker={looker}
                    isLooked={looked.has(row.key)}
                    onLook={() => setLooked(toggled(looked, row.key))}
                  />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
};

const toggled = <T,>(all: ReadonlySet<T>, one: T): ReadonlySet<T> => {
  const copy = new Set(all);
  if (!copy.delete(one)) copy.add(one);
  return copy;
};

interface GroupRowProps {
  readonly group: ChangeGroup;
  readonly isFolded: boolean;
  readonly onFold: () => void;
  readonly check: ReactNode;
}

const GroupRow = ({ group: { group, files, folders, lines }, isFolded, onFold, check }: GroupRowProps) => (
  <div className={classes.group} data-group={group}>
    {check}
    <button type="button" className={classes.fold} aria-expanded={!isFolded} onClick={onFold}>
      <Icon name={isFolded ? 'right' : 'down'} size={12} />
      <span>{TITLES[group]}</span>
      <span className={classes.soft}>
        {[...(files > 0 ? [count(files, 'file')] : []), ...(folders > 0 ? [count(folders, 'folder')] : [])].join(', ')}
      </span>
      {lines !== null && <Lines {...lines} />}
    </button>
  </div>
);

interface GroupCheckProps {
  readonly group: ChangeGroup;
  readonly own: ReadonlySet<string>;
  readonly leftOut: ReadonlySet<string>;
  readonly onChange: (isIn: boolean) => void;
}

const GroupCheck = ({ group: { group, steps }, own, leftOut, onChange }: GroupCheckProps) => {
  const keys = steps.map(keyOfPath).filter((key) => own.has(key));
  const chosen = keys.filter((key) => !leftOut.has(key)).length;
  return (
    <input
      type="checkbox"
      className={classes.check}
      aria-label={`${TITLES[group]}: all that are listed`}
      checked={keys.length > 0 && chosen === keys.length}
      disabled={keys.length === 0}
      ref={(element) => {
        if (element !== null) element.indeterminate = chosen > 0 && chosen < keys.length;
      }}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
};

const WHOSE = { agent: ['agent', 'plain'], person: ['yours', 'warn'], both: ['agent and you', 'warn'] } as const;

const KINDS: Readonly<Partial<Record<PlanStep['type'], string>>> = {
  retype: 'another type',
  chmod: 'permissions',
  mkdir: 'folder',
  rmdir: 'folder',
};

interface StepRowProps {
  readonly step: PlanStep;
  readonly isIn: boolean;
  readonly choice: { readonly isChosen: boolean; readonly isOwn: boolean; readonly onChange: (isIn: boolean) => void } | undefined;
  readonly looker: Looker | undefined;
  readonly isLooked: boolean;
  readonly onLook: () => void;
}

const StepRow = ({ step, isIn, choice, looker, isLooked, onLook }: StepRowProps) => {
  const { type, path, pathBase64, size, insertions, deletions, by, sessions = [] } = step;
  const name = visible(path);
  return (
    <div className={classes.step} data-out={isIn ? undefined : true}>
      <div className={classes.line}>
        {choice !== undefined && (
          <input
            type="checkbox"
            className={classes.check}
            aria-label={name}
            title={titleOf(choice.isOwn, pathBase64)}
            checked={choice.isOwn ? choice.isChosen : isIn}
            disabled={!choice.isOwn}
            onChange={({ target }) => choice.onChange(target.checked)}
          />
        )}
        <PathName path={isFolder(step) ? `${path}/` : path} />
        <span className={classes.facts}>
          {KINDS[type] !== undefined && <Badge>{KINDS[type]}</Badge>}
          {!isIn && <Badge tone="info">stays as it is</Badge>}
          {by != null && <Badge tone={WHOSE[by][1]}>{WHOSE[by][0]}</Badge>}
          {sessions.length > 1 && <Badge tone="warn">{count(sessions.length, 'session')}</Badge>}
          {size !== null && <span className={classes.soft}>{bytes(size)}</span>}
          {insertions !== null && deletions !== null && <Lines insertions={insertions} deletions={deletions} />}
          {looker !== undefined && !isFolder(step) && (
            <Button look="quiet" isSmall aria-expanded={isLooked} onClick={onLook} aria-label={`${isLooked ? 'Hide' : 'Look at'} ${name}`}>
              {isLooked ? 'Hide' : 'Look'}
            </Button>
          )}
        </span>
      </div>
      {looker !== undefined && isLooked && <FileLook step={step} looker={looker} />}
    </div>
  );
};

const titleOf = (isOwn: boolean, pathBase64: string | undefined): string | undefined => {
  if (isOwn) return undefined;
  return pathBase64 === undefined
    ? 'It comes and goes with what is in it'
    : 'Its name is not UTF-8: it goes back with everything, or not at all';
};
