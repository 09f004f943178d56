import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type List, useAnswer, useList } from '../client/queries.ts';
import type { Step } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Select, TextField } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import { useGo, usePlaces } from '../shell/places.ts';
import { LongList } from './long-list.tsx';
import { RecoverBar } from './recover-bar.tsx';
import classes from './recover-view.module.css';
import type { Wanted } from './requests.ts';
import { StepRow } from './step-row.tsx';
import { canRecover, FILTER_WORDS, fits, forecastOf, STATE_FILTERS, type StateFilter, select } from './steps.ts';
import { UnderWay } from './under-way.tsx';
import { useForecast } from './use-forecast.ts';

interface Filter {
  readonly state: StateFilter;
  /** Empty for all. */
  readonly agent: string;
  readonly turn: string;
}

const EVERYTHING: Filter = { state: 'all', agent: '', turn: '' };

const stepsOf = ({ commits }: { commits: Step[] }): readonly Step[] => commits;

const useSteps = (session: string, { agent, turn }: Filter): List<Step> =>
  useList('listCommits', {
    asking: {
      params: { session },
      query: { all: true, agentId: agent === '' ? undefined : agent, turn: /^[1-9]\d{0,8}$/.test(turn) ? Number(turn) : undefined },
    },
    itemsOf: stepsOf,
    limit: 200,
  });

const whoDid = ({ agentId, agent }: Step): string => agentId ?? agent ?? '';
const byId = ({ id }: Step): string => id;

/** What the window's bottom is covered by: see its style. */
const BAR = 150;

/** The steps of a session: which of them can be brought back, how that would go, and bringing them back (GIT-6). */
export const RecoverView = ({ session }: { session: string }) => <Steps key={session} session={session} />;

const Steps = ({ session }: { session: string }) => {
  const places = usePlaces();
  const go = useGo();
  const [filter, setFilter] = useState(EVERYTHING);
  const list = useSteps(session, filter);
  const shown = useMemo(() => list.items.filter((step) => fits(step, filter.state)), [list.items, filter.state]);
  const selection = useSelection(list, shown);
  const [how, setHow] = useState<Omit<Wanted, 'steps'>>({ strategy: 'sequential', commit: false });
  const wanted = useMemo((): Wanted => ({ ...how, steps: selection.chosen }), [how, selection.chosen]);
  const forecast = useForecast(session, wanted);
  const applies = useMemo(() => forecastOf(forecast.last?.steps), [forecast.last]);
  const group = 'Recover';
  useCommands([
    { group, label: 'Select all steps that can be recovered', keys: 'a', onRun: selection.chooseAll },
    { group, label: 'Select no step', keys: 'escape', onRun: selection.clear },
  ]);
  const isFiltered = filter !== EVERYTHING;
  const inSight = useMemo(() => new Set(shown.map(byId)), [shown]);
  return (
    <Page
      title="Recover"
      above={<Above session={session} />}
      below={<p className={classes.soft}>{toldOf(list, shown.length, isFiltered)}</p>}
    >
      <UnderWay />
      <Filters
        session={session}
        filter={filter}
        onChange={setFilter}
        isAllChosen={selection.isChoosingAll}
        onChooseAll={selection.chooseAll}
      />
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading && <Loading what="Reading steps …" />}
      {list.total === 0 && !isFiltered && (
        <Empty icon="agent" title="No step of this session changed a file">
          <p>What agents change is listed here, and what was rolled back of it can be brought back.</p>
        </Empty>
      )}
      {list.total !== undefined && isFiltered && shown.length === 0 && (
        <Empty icon="search" title={list.hasMore ? 'Nothing so far …' : 'No step is like that'}>
          {list.hasMore ? (
            <Button onClick={list.loadMore}>Look further</Button>
          ) : (
            <Button onClick={() => setFilter(EVERYTHING)}>Show all steps</Button>
          )}
        </Empty>
      )}
      {shown.length > 0 && (
        <LongList
          items={shown}
          keyOf={byId}
          noun="step"
          label="Steps"
          onOpen={({ id }) => go(places.step(session, id))}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          loadMore={list.loadMore}
          covered={BAR}
        >
          {(step) => (
            <StepRow
              session={session}
              step={step}
              isSelected={selection.has(step.id)}
              applies={selection.has(step.id) ? applies.get(step.id) : undefined}
              onSelect={(isRange) => selection.choose(step.id, isRange)}
            />
          )}
        </LongList>
      )}
      {list.total !== undefined && list.total > 0 && (
        <RecoverBar
          session={session}
          wanted={wanted}
          onChange={setHow}
          forecast={forecast}
          onClear={selection.clear}
          hidden={selection.chosen.filter((id) => !inSight.has(id)).length}
        />
      )}
    </Page>
  );
};

const toldOf = ({ total, hasMore }: List<Step>, shown: number, isFiltered: boolean): string => {
  if (total === undefined) return '';
  return isFiltered ? `${count(shown, 'step')}${hasMore ? ' so far' : ''}` : count(total, 'step');
};

const Above = ({ session }: { session: string }) => {
  const places = usePlaces();
  const { data } = useAnswer('getSession', { params: { session } });
  return (
    <Link href={places.session(session)} className={classes.above ?? ''}>
      {data === undefined ? shortId(session) : visible(data.title) || 'No prompt yet'}
    </Link>
  );
};

/** Which steps are chosen, wherever in the list they are. */
const useSelection = ({ items, hasMore, isLoadingMore, loadMore, total }: List<Step>, shown: readonly Step[]) => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();
  const [isChoosingAll, setChoosingAll] = useState(false);
  // What was recovered since, here or elsewhere, is not to be recovered again.
  const gone = useMemo(() => new Set(items.filter((step) => !canRecover(step)).map(byId)), [items]);
  const chosen = useMemo(() => [...selected].filter((id) => !gone.has(id)), [selected, gone]);
  const ids = useMemo(() => shown.filter(canRecover).map(byId), [shown]);
  useEffect(() => {
    if (!isChoosingAll || total === undefined) return;
    if (hasMore) {
      if (!isLoadingMore) loadMore();
      return;
    }
    setChoosingAll(false);
    setSelected((before) => new Set([...before, ...ids]));
  }, [isChoosingAll, total, hasMore, isLoadingMore, loadMore, ids]);
  const isChosen = useMemo(() => new Set(chosen), [chosen]);
  return {
    chosen,
    has: (id: string): boolean => isChosen.has(id),
    choose: (id: string, isRange: boolean): void => {
      setSelected(select({ selected: isChosen, ids, id, anchor, isRange }));
      setAnchor(id);
    },
    isChoosingAll,
    chooseAll: () => setChoosingAll(true),
    clear: () => {
      setSelected(new Set());
      setAnchor(undefined);
      setChoosingAll(false);
    },
  };
};

interface FiltersProps {
  readonly session: string;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly isAllChosen: boolean;
  readonly onChooseAll: () => void;
}

const Filters = ({ session, filter, onChange, isAllChosen, onChooseAll }: FiltersProps) => {
  const { items, total } = useSteps(session, EVERYTHING);
  const agents = useMemo(() => new Map(items.map((step) => [whoDid(step), step.agentType])), [items]);
  if (total === undefined || total === 0) return null;
  const change = (part: Partial<Filter>): void => onChange({ ...filter, ...part });
  return (
    <div className={classes.filters}>
      <Select label="State" value={filter.state} onChange={({ target }) => change({ state: target.value as StateFilter })}>
        {STATE_FILTERS.map((one) => (
          <option key={one} value={one}>
            {FILTER_WORDS[one]}
          </option>
        ))}
      </Select>
      <Select label="Agent" value={filter.agent} onChange={({ target }) => change({ agent: target.value })}>
        <option value="">all</option>
        {[...agents].map(([id, type]) => (
          <option key={id} value={id}>
            {visible(type === null ? id : `${type} ${id}`)}
          </option>
        ))}
      </Select>
      <TextField
        label="Turn"
        type="number"
        min={1}
        step={1}
        placeholder="all"
        value={filter.turn}
        onChange={({ target }) => change({ turn: target.value })}
      />
      <Button onClick={onChooseAll} disabled={isAllChosen}>
        {isAllChosen ? 'Reading …' : 'Select all that can be recovered'}
      </Button>
    </div>
  );
};
