import type { ReactNode } from 'react';
import { useAnswer } from '../client/queries.ts';
import type { Health } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyable.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { bytes, count, number, visible } from '../parts/words.ts';
import { FixHealth } from './fix-health.tsx';
import classes from './health-part.module.css';
import { amountWords, daysOf, duration, phasesOf, reasonWords, VERDICTS } from './health-words.ts';

/** How the user's git, the store and the program are doing. */
export const HealthPart = () => {
  const { data, error, isFetching, refetch } = useAnswer('getHealth', {});
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="Looking …" />;
  const { git, store, timings, slow } = data;
  return (
    <>
      <div className={classes.cards}>
        {git === null ? (
          <Card title="Your git">
            <p className={classes.soft}>There is no git repository here. Retake needs none.</p>
          </Card>
        ) : (
          <Card title="Your git" look={git}>
            <Facts
              facts={[
                ['Keeps what was left behind', daysOf(git.retention.unreachable)],
                ['Keeps the rest of the reflog', daysOf(git.retention.reachable)],
              ]}
            />
            {git.verdict !== 'good' && <FixHealth onDone={() => void refetch()} />}
          </Card>
        )}
        {store === null ? (
          <Card title="The store">
            <p className={classes.soft}>Nothing is recorded here yet.</p>
          </Card>
        ) : (
          <Card title="The store" look={store}>
            <StoreFacts store={store} />
          </Card>
        )}
      </div>
      <div>
        <Button onClick={() => void refetch()} disabled={isFetching}>
          {isFetching ? 'Looking …' : 'Look again'}
        </Button>
      </div>
      <Times timings={timings} />
      <Slow slow={slow} />
    </>
  );
};

type Look = Pick<NonNullable<Health['git']>, 'verdict' | 'checkedAt' | 'concerns'>;

const Card = ({ title, look, children }: { title: string; look?: Look; children: ReactNode }) => (
  <section className={classes.card} aria-label={title}>
    <header className={classes.head}>
      <h2>{title}</h2>
      {look !== undefined && <Badge tone={VERDICTS[look.verdict]}>{look.verdict}</Badge>}
      {look !== undefined && (
        <span className={classes.checked}>
          looked at <Time at={look.checkedAt} />
        </span>
      )}
    </header>
    {look !== undefined && look.concerns.length > 0 && (
      <ul className={classes.concerns}>
        {look.concerns.map((concern) => (
          <li key={concern.reason} data-verdict={concern.verdict}>
            <Icon name="warn" />
            <div>
              <p>
                <span className="visually-hidden">{concern.verdict}: </span>
                {visible(concern.reason)}
              </p>
              {concern.command !== null && (
                <p className={classes.command}>
                  <code>{visible(concern.command)}</code>
                  <CopyButton what="Command" text={concern.command} label="Copy the command that mends it" />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    )}
    {children}
  </section>
);

const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const StoreFacts = ({ store: { size, lastGc, lastCheck } }: { store: NonNullable<Health['store']> }) => (
  <Facts
    facts={[
      ['Size', `${bytes(size.bytes)} in ${count(size.files, 'file')}`],
      ['Packed', `${count(size.packs, 'pack')}, ${count(size.looseObjects, 'object')} not packed`],
      ['Packed last', lastGc === null ? 'never, or not known' : <Time key="gc" at={lastGc} />],
      [
        'Checked last',
        lastCheck === null ? (
          'never, or not known'
        ) : (
          <span key="check">
            <Time at={lastCheck.at} /> ({lastCheck.full ? 'every byte' : 'a quick look'}):{' '}
            {lastCheck.problem === null ? 'all is well' : visible(lastCheck.problem)}
          </span>
        ),
      ],
    ]}
  />
);

const Times = ({ timings: { since, operations } }: Pick<Health, 'timings'>) => (
  <section className={classes.section} aria-label="How long things took">
    <h2>How long things took</h2>
    {operations.length === 0 ? (
      <Empty icon="clock" title="Nothing was measured yet" />
    ) : (
      <>
        {since !== null && <p className={classes.soft}>Since {since}</p>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys too */}
        <section className={classes.scroll} tabIndex={0} aria-label="Times of each kind">
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">How often</th>
                <th scope="col">Mean</th>
                <th scope="col">Slowest</th>
                <th scope="col">May take</th>
                <th scope="col">Took longer</th>
                <th scope="col">Last</th>
              </tr>
            </thead>
            <tbody>
              {operations.map(({ kind, count: times, mean, slowest, limit, slow, last }) => (
                <tr key={kind}>
                  <th scope="row">{visible(kind)}</th>
                  <td>{number(times)}</td>
                  <td data-over={limit !== null && mean > limit}>{duration(mean)}</td>
                  <td data-over={limit !== null && slowest > limit}>{duration(slowest)}</td>
                  <td>{limit === null ? 'as long as it takes' : duration(limit)}</td>
                  <td>{slow === 0 ? '–' : number(slow)}</td>
                  <td>
                    <Time at={last} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </>
    )}
  </section>
);

const Slow = ({ slow }: Pick<Health, 'slow'>) =>
  slow.length === 0 ? null : (
    <section className={classes.section} aria-label="What took long">
      <h2>What took long</h2>
      <ul className={classes.slow}>
        {slow.map((one) => (
          <li key={`${one.at} ${one.kind} ${one.ms}`}>
            <p>
              <strong>{visible(one.kind)}</strong> took {duration(one.ms)}, and may take {duration(one.limit)}, <Time at={one.at} />
            </p>
            {one.reasons.length === 0 ? (
              <p className={classes.soft}>Why is not known.</p>
            ) : (
              one.reasons.map((reason) => (
                <p key={reason} className={classes.soft}>
                  {visible(reasonWords(reason))}.
                </p>
              ))
            )}
            {amountWords(one.amounts) !== '' && <p className={classes.soft}>{amountWords(one.amounts)}.</p>}
            <ul className={classes.phases} aria-label="Where the time went">
              {phasesOf(one).map(({ phase, ms, share }) => (
                <li key={phase}>
                  <span>{visible(phase)}</span>
                  <span className={classes.bar} style={{ width: `${Math.max(2, share * 100)}%` }} />
                  <span>{duration(ms)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
