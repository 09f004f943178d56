import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import type { Comparison } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Loading, Problem } from '../parts/states.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import { useGo, usePlaces } from '../shell/places.ts';
import classes from './compare-view.module.css';
import { fileKey } from './compare-words.ts';
import { ComparedSide } from './compared-side.tsx';
import { Conflicts } from './conflicts.tsx';
import { Divergence } from './divergence.tsx';
import { FileSides } from './file-sides.tsx';
import { titleOf } from './fork-tree.ts';
import type { FileName } from './hunks.tsx';
import { useForkPlans } from './use-fork-plans.ts';

interface CompareViewProps {
  readonly session: string;
  readonly a: string;
  readonly b: string;
}

/** What two branches made of the code since their ways parted, side by side (FRK-5). */
export const CompareView = ({ session, a, b }: CompareViewProps) => {
  const places = usePlaces();
  const go = useGo();
  const { data, error, isPlaceholderData, refetch } = useAnswer('compareForks', { body: { a, b } });
  const swap = (): void => go(places.compare(session, b, a));
  useCommands([
    { group: 'Comparison', label: 'Swap sides', keys: 'x', onRun: swap },
    { group: 'Comparison', label: 'Fork tree', keys: 't', onRun: () => go(places.forks(session)) },
  ]);
  const isThere = data !== undefined && !isPlaceholderData && error === null;
  return (
    <Page
      title="Compare branches"
      above={
        <Link href={places.forks(session)} className={classes.back ?? ''}>
          <Icon name="left" size={12} /> Fork tree
        </Link>
      }
      actions={isThere && <Actions comparison={data} onSwap={swap} />}
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {error === null && !isThere && <Loading what="Comparing …" />}
      {isThere && <Compared key={`${a} ${b}`} session={session} comparison={data} />}
    </Page>
  );
};

/** Merging goes into the present branch alone: where the left one is not, going there is what comes first. */
const Actions = ({ comparison: { a, b }, onSwap }: { comparison: Comparison; onSwap: () => void }) => {
  const { switchTo, merge } = useForkPlans();
  return (
    <>
      <Button icon="forward" onClick={onSwap}>
        Swap sides
      </Button>
      {[a, b].map(
        (side) =>
          !side.current && (
            <Button key={side.branch} onClick={() => switchTo(side)}>
              <span className={classes.cut}>
                Switch to “<bdi>{titleOf(side)}</bdi>”
              </span>
            </Button>
          ),
      )}
      {a.current && (
        <Button look="primary" icon="fork" onClick={() => merge(a, b)}>
          <span className={classes.cut}>
            Merge “<bdi>{titleOf(b)}</bdi>” into “<bdi>{titleOf(a)}</bdi>”
          </span>
        </Button>
      )}
    </>
  );
};

const Compared = ({ session, comparison }: { session: string; comparison: Comparison }) => {
  const { ancestor, a, b, both } = comparison;
  const [chosen, setChosen] = useState<FileName>();
  const [isBothOnly, setBothOnly] = useState(false);
  const context = useAnswer('getMessages', { params: { checkpoint: ancestor.checkpoint }, query: { before: 1 } });
  // Sessions that one conversation went on in do not all know of each other's checkpoints.
  const home = context.data?.session ?? session;
  const shared = new Map(both.map((file) => [fileKey(file), file]));
  return (
    <>
      <Divergence comparison={comparison} />
      <Ancestor session={home} ancestor={ancestor} said={context.data?.before.find(({ id }) => id === ancestor.at)?.text} />
      {!a.current && (
        <p className={classes.soft}>
          {b.current
            ? 'Only into the present branch, the one on the right, can be merged: swap sides first.'
            : 'Merging goes into the present branch, and neither of these is it: switch to one of them first.'}
        </p>
      )}
      <Conflicts both={both} chosen={chosen && fileKey(chosen)} onChoose={setChosen} />
      {both.length > 0 && (
        <Checkbox
          label={`Only files that both changed (${count(both.length, 'file')})`}
          checked={isBothOnly}
          onChange={({ target }) => setBothOnly(target.checked)}
        />
      )}
      <div className={classes.sides}>
        {[a, b].map((side) => (
          <ComparedSide
            key={side.branch}
            side={side}
            shared={shared}
            isSharedOnly={isBothOnly}
            chosen={chosen && fileKey(chosen)}
            onChoose={setChosen}
          />
        ))}
      </div>
      {chosen !== undefined && (context.data !== undefined || context.error !== null) && (
        <FileSides session={home} comparison={comparison} file={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
};

interface AncestorProps {
  readonly session: string;
  readonly ancestor: Comparison['ancestor'];
  readonly said: string | undefined;
}

/** Where their ways part: the last that was said to both, and the code there. */
const Ancestor = ({ session, ancestor: { at, checkpoint }, said = '' }: AncestorProps) => {
  const places = usePlaces();
  return (
    <section className={classes.ancestor} aria-label="Common ancestor">
      <h2>Common ancestor</h2>
      <p>
        {at === null ? (
          'The beginning of the conversation'
        ) : (
          <>
            After message <code title={visible(at)}>{shortId(visible(at))}</code>
          </>
        )}
        , code at <Link href={places.checkpoint(session, checkpoint)}>checkpoint {shortId(checkpoint)}</Link>
      </p>
      {said !== '' && (
        <blockquote className={classes.said}>
          <bdi>{visible(said.slice(0, LONGEST))}</bdi>
        </blockquote>
      )}
    </section>
  );
};

const LONGEST = 300;
