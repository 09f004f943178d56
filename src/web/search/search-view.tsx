import { useEffect, useRef, useState } from 'react';
import { useList, useSessions } from '../client/queries.ts';
import type { Step } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { count, visible } from '../parts/words.ts';
import { LongList } from '../recover/long-list.tsx';
import { useSearchParams } from '../shell/address.ts';
import { useGo, usePlaces } from '../shell/places.ts';
import { FoundRow } from './found-row.tsx';
import { wordsOf } from './marked.ts';
import classes from './search-view.module.css';

/** One letter is in almost everything. */
const LEAST = 2;
const MOST = 500;

/** Checkpoints by words of their names, notes, descriptions and prompts. */
export const SearchView = () => {
  const [search, setSearch] = useSearchParams();
  const words = (search.get('q') ?? '').trim();
  const isEnough = words.length >= LEAST && words.length <= MOST;
  return (
    <Page title={words === '' ? 'Search' : `Search: ${visible(words)}`} heading="Search">
      <Refine words={words} onSearch={(q) => setSearch(q === '' ? {} : { q })} />
      {words === '' && (
        <Empty icon="search" title="What are you looking for?">
          <p>Names, notes, prompts, and what agents did. All words have to be in it, in whatever order.</p>
        </Empty>
      )}
      {words !== '' && words.length < LEAST && <Empty icon="search" title="That is too short to search for: type one more letter" />}
      {words.length > MOST && <Empty icon="search" title={`That is too long to search for: at most ${MOST} letters`} />}
      {isEnough && <Found words={words} />}
    </Page>
  );
};

const Refine = ({ words, onSearch }: { words: string; onSearch: (words: string) => void }) => {
  const [typed, setTyped] = useState(words);
  const before = useRef(words);
  useEffect(() => {
    // Searched for from elsewhere, or gone back to.
    if (before.current !== words) setTyped(words);
    before.current = words;
  }, [words]);
  return (
    <search>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <TextField
          label="Words"
          isLabelHidden
          type="search"
          maxLength={MOST}
          placeholder="Words of names, notes and prompts"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" icon="search">
          Search
        </Button>
      </form>
    </search>
  );
};

type FoundOperation = Step;

const operationsOf = ({ operations }: { operations: FoundOperation[] }): readonly FoundOperation[] => operations;
const byId = ({ id }: FoundOperation): string => id;

const Found = ({ words }: { words: string }) => {
  const places = usePlaces();
  const go = useGo();
  const list = useList('search', { asking: { query: { q: words } }, itemsOf: operationsOf, limit: 50 });
  const { items: sessions } = useSessions();
  if (list.error !== null) return <Problem error={list.error} onRetry={list.retry} />;
  if (list.isLoading) return <Loading what="Searching …" />;
  if (list.total === 0)
    return (
      <Empty icon="search" title={`Nothing holds ${visible(words)}`}>
        <p>Fewer words find more. What is in files is not searched.</p>
      </Empty>
    );
  return (
    <>
      <p className={classes.soft} role="status">
        {list.total !== undefined && `${count(list.total, 'checkpoint')} found`}
      </p>
      <LongList
        items={list.items}
        keyOf={byId}
        noun="checkpoint"
        label="Found"
        onOpen={({ session, id }) => go(places.checkpoint(session, id))}
        hasMore={list.hasMore}
        isLoadingMore={list.isLoadingMore}
        loadMore={list.loadMore}
      >
        {(operation) => (
          <FoundRow operation={operation} words={wordsOf(words)} title={sessions.find(({ id }) => id === operation.session)?.title} />
        )}
      </LongList>
    </>
  );
};
