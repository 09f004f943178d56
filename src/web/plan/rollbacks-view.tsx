import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { FIXED } from '../client/keys.ts';
import { useList, useSessions } from '../client/queries.ts';
import type { RollbackEntry } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Choice, Select, TextField } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import { useListKeys } from '../shell/list-keys.ts';
import { useGo, usePlaces } from '../shell/places.ts';
import { readRecord } from './recorded.ts';
import { fitsWords, type Origin, originsOf } from './rollback-history.ts';
import { type Records, RollbackRow } from './rollback-row.tsx';
import classes from './rollbacks-view.module.css';

const entriesOf = ({ rollbacks }: { rollbacks: RollbackEntry[] }): readonly RollbackEntry[] => rollbacks;

const LEVELS: readonly (readonly [RollbackEntry['level'], string])[] = [
  ['session', 'To where a session began'],
  ['fork', 'To a fork or another branch'],
  ['step', 'To another record'],
];

type Kind = 'all' | 'in-force' | 'undone';

/** Everything that ever went back, newest first: each can be taken back (RST-7). */
export const RollbacksView = () => {
  const [session, setSession] = useState('');
  const [level, setLevel] = useState<RollbackEntry['level'] | ''>('');
  const isNarrowed = session !== '' || level !== '';
  const sessions = useSessions();
  const { items, total, hasMore, isLoading, isLoadingMore, error, loadMore, retry } = useList('listRollbacks', {
    asking: { query: { session: session === '' ? undefined : session, level: level === '' ? undefined : level } },
    itemsOf: entriesOf,
    limit: 50,
  });
  const [words, setWords] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const records = useRecords(items);
  const shown = items.filter(
    (entry) =>
      (kind === 'all' || (entry.undoneBy !== null) === (kind === 'undone')) &&
      fitsWords(entry, `${records.get(entry.to)?.name ?? ''} ${records.get(entry.to)?.description ?? ''}`, words.trim()),
  );
  return (
    <Page
      title="Rollback history"
      below={total === undefined || total === 0 ? null : <p className={classes.soft}>{count(total, 'entry', 'entries')}</p>}
    >
      {error !== null && <Problem error={error} onRetry={retry} />}
      {isLoading && <Loading what="Reading the history …" />}
      {total === 0 && !isNarrowed && (
        <Empty icon="back" title="Nothing was rolled back yet">
          <p>Whatever goes back is listed here, with what it changed, and can be undone from here at any time.</p>
        </Empty>
      )}
      {(items.length > 0 || isNarrowed) && (
        <div className={classes.filter}>
          <Select label="Session" isLabelHidden value={session} onChange={({ target }) => setSession(target.value)}>
            <option value="">All sessions</option>
            {sessions.items.map(({ id, title }) => (
              <option key={id} value={id}>
                {visible(title) || shortId(id)}
              </option>
            ))}
          </Select>
          <Select
            label="What it went back to"
            isLabelHidden
            value={level}
            onChange={({ target }) => setLevel(target.value as RollbackEntry['level'] | '')}
          >
            <option value="">All targets</option>
            {LEVELS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
          <TextField
            label="Filter by path, kind or description"
            isLabelHidden
            type="search"
            placeholder="Filter by path, kind or description"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <Choice<Kind>
            label="Which entries"
            value={kind}
            options={[
              { value: 'all', label: 'All' },
              { value: 'in-force', label: 'In force' },
              { value: 'undone', label: 'Undone' },
            ]}
            onChange={setKind}
          />
        </div>
      )}
      {(items.length > 0 || isNarrowed) && !isLoading && shown.length === 0 && <Empty icon="search" title="None of the entries fits" />}
      {shown.length > 0 && <Rows entries={shown} origins={originsOf(items)} records={records} />}
      {hasMore && (
        <Button onClick={loadMore} disabled={isLoadingMore}>
          {isLoadingMore ? 'Reading …' : 'Show more'}
        </Button>
      )}
    </Page>
  );
};

/** The states that entries lead to, as far as they are known by now. What is told of them here never changes. */
const useRecords = (entries: readonly RollbackEntry[]): Records => {
  const workspace = useWorkspaceId();
  const ids = [...new Set(entries.map(({ to }) => to))];
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: [workspace, FIXED, 'record', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRecord(workspace, id, signal),
    })),
  });
  return new Map(answers.flatMap(({ data }) => (data == null ? [] : [[data.id, data] as const])));
};

interface RowsProps {
  readonly entries: readonly RollbackEntry[];
  readonly origins: ReadonlyMap<string, Origin>;
  readonly records: Records;
}

const Rows = ({ entries, origins, records }: RowsProps) => {
  const places = usePlaces();
  const go = useGo();
  const keys = useListKeys({
    size: entries.length,
    noun: 'rollback',
    onOpen: (at) => {
      const entry = entries[at];
      const session = entry && records.get(entry.to)?.session;
      if (entry !== undefined && session !== undefined) go(places.step(session, entry.id));
    },
  });
  return (
    <ul className={classes.list} ref={keys.ref}>
      {entries.map((entry) => (
        <li key={entry.id} id={entry.id}>
          <RollbackRow entry={entry} origin={origins.get(entry.id)} records={records} />
        </li>
      ))}
    </ul>
  );
};
