import { useMemo } from 'react';
import type { Conflict } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Choice } from '../parts/field.tsx';
import { bytes, count, visible, visibleLines } from '../parts/words.ts';
import { type Choices, type ConflictChoice, choosing, chosenFor, NO_CHOICE } from './choices.ts';
import classes from './conflicts.module.css';
import { Fold } from './fold.tsx';
import { type Marked, type Place, readMarked } from './marked.ts';
import { PathName } from './path-name.tsx';
import { reasonWords } from './plan-words.ts';

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}

interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

const NAMES: SideNames = { ours: 'now', theirs: 'the other side' };

/** Files that two sides changed: both sides of each, and what is to become of it. Nothing is written before all are decided. */
export const Conflicts = ({ conflicts, choices, onChoose }: ConflictsProps) => {
  const open = conflicts.filter(({ choice }) => choice === null).length;
  const isAnyByHand = conflicts.some(({ marked }) => marked !== null);
  return (
    <section className={classes.conflicts} aria-label="Conflicts">
      <h3>
        {open === 0
          ? `${count(conflicts.length, 'conflict')}, all decided`
          : `${count(open, 'file needs', 'files need')} a decision of yours`}
      </h3>
      <Explained conflicts={conflicts} />
      {conflicts.length > 1 && (
        <div className={classes.forAll}>
          <span className={classes.label}>For all of them</span>
          <Choice<ConflictChoice | 'abort'>
            label="For all conflicts"
            value={choices.resolve.length > 0 ? 'abort' : choices.onConflict}
            options={[
              { value: 'ours', label: 'Now' },
              { value: 'theirs', label: 'The other side' },
              { value: 'manual', label: 'By hand', disabledBecause: isAnyByHand ? undefined : 'None of them is text' },
              { value: 'skip', label: 'Leave alone' },
            ]}
            onChange={(onConflict) => onChoose({ ...NO_CHOICE, onConflict })}
          />
        </div>
      )}
      <ul className={classes.list}>
        {conflicts.map((conflict) => (
          <li key={conflict.pathBase64 ?? conflict.path}>
            <OneConflict
              conflict={conflict}
              choice={chosenFor(choices, conflict)}
              onChoose={(choice) => onChoose(choosing(choices, conflict.path, choice))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

/** What the two sides are, for those who never merged anything. */
const Explained = ({ conflicts }: Pick<ConflictsProps, 'conflicts'>) => {
  const names = conflicts.map(({ marked }) => (marked === null ? NAMES : namesOf(readMarked(marked))))[0] ?? NAMES;
  return (
    <p className={classes.soft}>
      The same place was changed twice, so that nobody but you can tell what is right. “{visible(names.ours)}” (ours) is the file as it is
      in your workspace{names.ours === 'now' ? ' right now' : ''}; “{visible(names.theirs)}” (theirs) is what this plan would put there.
      Only the places in question are decided: everything else in the file is merged, whatever you choose.
    </p>
  );
};

const namesOf = ({ ours, theirs }: Marked): SideNames => ({ ours: ours ?? NAMES.ours, theirs: theirs ?? NAMES.theirs });

const OUTCOMES: Readonly<Record<ConflictChoice, (names: SideNames) => string>> = {
  ours: ({ ours }) => `At these places it stays as it is “${ours}”.`,
  theirs: ({ theirs }) => `At these places it becomes “${theirs}”.`,
  manual: () => 'The file gets both, between markers (<<<<<<< and >>>>>>>), and you finish it in your editor.',
  skip: () => 'The file stays as it is, and is reported as skipped.',
};

interface OneConflictProps {
  readonly conflict: Conflict;
  readonly choice: ConflictChoice | null;
  readonly onChoose: (choice: ConflictChoice) => void;
}

const OneConflict = ({ conflict, choice, onChoose }: OneConflictProps) => {
  const { path, pathBase64, was, reason, marked, ours, theirs } = conflict;
  const read = useMemo(() => (marked === null ? undefined : readMarked(marked)), [marked]);
  const names = read === undefined ? NAMES : namesOf(read);
  const unnamed = pathBase64 === undefined ? undefined : 'Its name is not UTF-8: it is decided about with all others';
  return (
    <article className={classes.conflict} aria-label={visible(path)}>
      <header className={classes.head}>
        <PathName path={path} />
        <Badge tone={choice === null ? 'bad' : 'good'}>{choice === null ? 'undecided' : 'decided'}</Badge>
      </header>
      <p className={classes.soft}>
        {reasonWords(reason)}.{was !== undefined && ` It was renamed from ${visible(was.path)}.`}
      </p>
      {read === undefined ? (
        <Wholes names={names} ours={ours} theirs={theirs} />
      ) : (
        read.places.map((place, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no other name, and stay in order
          <Sides key={at} place={place} names={names} choice={choice} />
        ))
      )}
      {read?.isCut === true && <p className={classes.soft}>There is more of it than is shown here.</p>}
      <Choice<ConflictChoice | 'none'>
        label={`What becomes of ${visible(path)}`}
        value={choice ?? 'none'}
        options={[
          { value: 'ours', label: short(names.ours), disabledBecause: unnamed },
          { value: 'theirs', label: short(names.theirs), disabledBecause: unnamed },
          {
            value: 'manual',
            label: 'By hand',
            disabledBecause: unnamed ?? (marked === null ? 'Only text can be finished by hand' : undefined),
          },
          { value: 'skip', label: 'Leave alone', disabledBecause: unnamed },
        ]}
        onChange={(value) => value !== 'none' && onChoose(value)}
      />
      {choice !== null && <p className={classes.outcome}>{visible(OUTCOMES[choice](names))}</p>}
      {marked !== null && (
        <Fold title="The same with markers, as in the file">
          <pre className={classes.lines}>{visibleLines(marked)}</pre>
        </Fold>
      )}
    </article>
  );
};

const LONGEST = 40;
const short = (name: string): string => {
  const shown = visible(name);
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST - 1)}…` : shown;
  return cut.slice(0, 1).toUpperCase() + cut.slice(1);
};

/** Where both are not text: all of one or all of the other. */
const Wholes = ({ names, ours, theirs }: { names: SideNames } & Pick<Conflict, 'ours' | 'theirs'>) => (
  <dl className={classes.wholes}>
    <dt>{visible(names.ours)}</dt>
    <dd>{describeSide(ours)}</dd>
    <dt>{visible(names.theirs)}</dt>
    <dd>{describeSide(theirs)}</dd>
  </dl>
);

const describeSide = (side: Conflict['ours']): string => {
  if (side === null) return 'nothing is there';
  return side.size === null ? side.type : `${side.type}, ${bytes(side.size)}`;
};

/** One place, both ways, and what becomes of it. */
const Sides = ({ place, names, choice }: { place: Place; names: SideNames; choice: ConflictChoice | null }) => {
  const isOurs = choice === 'ours' || choice === 'skip';
  return (
    <div className={classes.sides}>
      <Side title={names.ours} lines={place.ours} isTaken={isOurs || choice === 'manual'} isDecided={choice !== null} />
      <Side title={names.theirs} lines={place.theirs} isTaken={choice === 'theirs' || choice === 'manual'} isDecided={choice !== null} />
      {place.base !== null && (
        <details className={classes.base}>
          <summary>What both began with</summary>
          <Lines lines={place.base} />
        </details>
      )}
    </div>
  );
};

interface SideProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isTaken: boolean;
  readonly isDecided: boolean;
}

const Side = ({ title, lines, isTaken, isDecided }: SideProps) => (
  <figure className={classes.side} data-taken={isDecided ? isTaken : undefined}>
    <figcaption>
      {visible(title)}
      {isDecided && <Badge tone={isTaken ? 'good' : 'plain'}>{isTaken ? 'in the result' : 'not in the result'}</Badge>}
    </figcaption>
    <Lines lines={lines} />
  </figure>
);

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? (
    <p className={classes.soft}>no lines here</p>
  ) : (
    <pre className={classes.lines}>{lines.map((line) => visible(line)).join('\n')}</pre>
  );
