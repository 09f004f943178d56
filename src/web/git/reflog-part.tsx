import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import { keyOf } from '../client/keys.ts';
import { type List, useAnswer, useList, useSessions } from '../client/queries.ts';
import type { ReflogEntry } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Select, TextField } from '../parts/field.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { bytes, count, number, shortId, visible } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import { LongList } from '../recover/long-list.tsx';
import { recoverCommit } from '../recover/requests.ts';
import { saidOf } from '../recover/said.ts';
import { useSettled } from '../recover/use-settled.ts';
import { useSearchParams } from '../shell/address.ts';
import { daysOf } from './health-words.ts';
import classes from './reflog-part.module.css';
import { ReflogRow } from './reflog-row.tsx';
import { RestoreReflog } from './restore-reflog.tsx';
import { useFresh } from './use-fresh.ts';

const entriesOf = ({ entries }: { entries: ReflogEntry[] }): readonly ReflogEntry[] => entries;
// Selectors count from the newest: they are no names.
const placeOf = ({ ref, at, from, commit }: ReflogEntry, place: number): string => [ref, at, from, commit, place].join(' ');

/** Where HEAD and branches have been, searched by words and sessions, and bringing commits back. */
export const ReflogPart = () => {
  useFresh('listReflog');
  useFresh('getReflogStats');
  const workspace = useWorkspaceId();
  const { runPlan } = usePlans();
  const [search, setSearch] = useSearchParams();
  const [words, setWords] = useState(search.get('q') ?? '');
  const session = search.get('session') ?? '';
  const q = useSettled(words.trim());
  const asking = { query: { q: q === '' ? undefined : q, sessionId: session === '' ? undefined : session } };
  const list = useList('listReflog', { asking, itemsOf: entriesOf, limit: 100 });
  const change = (name: 'q' | 'session', value: string): void =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  if (list.error instanceof ApiError && list.error.code === 'no-repository') {
    return (
      <Empty icon="fork" title="There is no git repository here">
        <p>Retake needs none. With one, this is where you find commits again that a reset or a rebase left behind.</p>
      </Empty>
    );
  }
  const bringBack = ({ commit, message }: ReflogEntry): void =>
    runPlan({
      title: `Bring back ${shortId(commit)}: ${visible(message)}`,
      action: 'Bring back',
      ...recoverCommit({ ask, workspace }, commit),
      said: (done) => saidOf(done, `The changes of ${shortId(commit)} are back`),
    });
  const isSearched = q !== '' || session !== '';
  return (
    <>
      <Stats />
      <RestoreReflog words={q} />
      <search className={classes.search}>
        <TextField
          label="Search"
          type="search"
          maxLength={500}
          placeholder="Message, action, branch or commit"
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            change('q', target.value.trim());
          }}
        />
        <SessionFilter session={session} onChange={(id) => change('session', id)} />
      </search>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading && <Loading what="Reading the reflog …" />}
      {list.total === 0 && (
        <Empty icon="search" title={isSearched ? 'No entry is like that' : 'git has noted nothing yet'}>
          {isSearched ? (
            <Button
              onClick={() => {
                setWords('');
                setSearch({}, { replace: true });
              }}
            >
              Show all entries
            </Button>
          ) : (
            <p>With the first commit it begins to note where HEAD and your branches are.</p>
          )}
        </Empty>
      )}
      {list.items.length > 0 && (
        <>
          <Found list={list} isSearched={isSearched} />
          <Unreadable asking={asking} />
          <LongList
            items={list.items}
            keyOf={placeOf}
            noun="entry"
            label="Reflog"
            onOpen={bringBack}
            hasMore={list.hasMore}
            isLoadingMore={list.isLoadingMore}
            loadMore={list.loadMore}
          >
            {(entry) => <ReflogRow entry={entry} onBringBack={() => bringBack(entry)} />}
          </LongList>
        </>
      )}
    </>
  );
};

const Found = ({ list: { total }, isSearched }: { list: List<ReflogEntry>; isSearched: boolean }) =>
  isSearched && total !== undefined ? (
    <p className={classes.soft} role="status">
      {count(total, 'entry', 'entries')} found
    </p>
  ) : null;

/** A list without some of the logs is not to be taken for all of them. */
const Unreadable = ({ asking }: { asking: object }) => {
  const workspace = useWorkspaceId();
  const read = useQueryClient().getQueryData<InfiniteData<{ unreadable: string[] }>>(keyOf(workspace, 'listReflog', asking));
  const logs = read?.pages[0]?.unreadable ?? [];
  return logs.length === 0 ? null : <p className={classes.warning}>Logs that can not be read: {logs.map(visible).join(', ')}</p>;
};

const SessionFilter = ({ session, onChange }: { session: string; onChange: (session: string) => void }) => {
  const { items } = useSessions();
  return (
    <Select label="While at work" value={session} onChange={({ target }) => onChange(target.value)}>
      <option value="">any session, or none</option>
      {items.map(({ id, title }) => (
        <option key={id} value={id}>
          {visible(title) || shortId(id)}
        </option>
      ))}
      {session !== '' && !items.some(({ id }) => id === session) && <option value={session}>{shortId(session)}</option>}
    </Select>
  );
};

const Stats = () => {
  const { data } = useAnswer('getReflogStats', {});
  if (data === undefined || data.entries === 0) return null;
  const { entries, logs, sessions, recoverable, oldest, bytes: size, garbage, retention } = data;
  return (
    <dl className={classes.stats}>
      <div>
        <dt>Entries</dt>
        <dd>
          {number(entries)} in {count(logs, 'log')}
          {size !== null && `, ${bytes(size)}`}
        </dd>
      </div>
      <div>
        <dt>Can be brought back</dt>
        <dd>{recoverable === null ? 'not known in a partial clone' : number(recoverable)}</dd>
      </div>
      {oldest !== null && (
        <div>
          <dt>Oldest</dt>
          <dd>
            <Time at={oldest} />
          </dd>
        </div>
      )}
      <div>
        <dt>Sessions</dt>
        <dd>{number(sessions)}</dd>
      </div>
      <div>
        <dt>git keeps them</dt>
        <dd>
          {daysOf(retention.reachable)}; what nothing leads to: {daysOf(retention.unreachable)}
        </dd>
      </div>
      {garbage > 0 && (
        <div>
          <dt>Not readable</dt>
          <dd>{count(garbage, 'line')}</dd>
        </div>
      )}
    </dl>
  );
};
