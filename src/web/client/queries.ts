import { hashKey, keepPreviousData, type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { type Answered, AT_ONCE, type RouteName, type Routes, type ServerEvent } from '../../api/index.ts';
import { ask } from './ask.ts';
import { isGrowing, refreshBeginning } from './growing.ts';
import { askAgain, FIXED, keyOf, serverKeyOf } from './keys.ts';
import { useEvents } from './live.tsx';
import type { Checkpoint, Session, Turn } from './types.ts';
import { useWorkspaceId } from './workspace.tsx';

/**
 * Questions that views ask, and when the answers are asked for again: never by the clock, always because an event said that something
 * happened.
 */

type Asking<N extends RouteName> = NonNullable<Parameters<typeof ask<N>>[1]>;

/** Asks one question about the workspace; undefined in place of what is asked waits until it is known. */
export const useAnswer = <N extends RouteName>(name: N, asking: Omit<Asking<N>, 'workspace' | 'signal'> | undefined, isFixed = false) => {
  const workspace = useWorkspaceId();
  const queryKey = isFixed ? [workspace, FIXED, name, asking] : keyOf(workspace, name, asking);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask(name, { ...asking, workspace, signal } as unknown as Asking<N>) as Promise<Answered<Routes[N]>>,
    enabled: asking !== undefined,
    placeholderData: keepPreviousData,
    ...(isFixed ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  });
  const { isPlaceholderData } = query;
  return {
    ...useRefusal(queryKey, query),
    isPlaceholderData,
    // Who looks at this is drawn again when it changes.
    get isFetching() {
      return query.isFetching;
    },
  };
};

interface Asked<T> {
  readonly data: T | undefined;
  readonly isPlaceholderData: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/**
 * What a question was refused with, also while it is asked again because of news: the library forgets that at once, so that what is shown of it would
 * be gone until the next answer, and what is below it would move under the pointer. Who asks again by hand is to see that something is done.
 */
const useRefusal = <T>(queryKey: QueryKey, { data, isPlaceholderData, error, refetch }: Asked<T>) => {
  const key = hashKey(queryKey);
  const [last, setLast] = useState<{ readonly key: string; readonly error: unknown }>();
  const isAnswered = data !== undefined && !isPlaceholderData;
  const kept = error !== null || isAnswered || last?.key !== key ? null : last.error;
  if (error !== null && (last?.error !== error || last?.key !== key)) setLast({ key, error });
  if (error === null && kept === null && last !== undefined) setLast(undefined);
  const askByHand = useCallback(() => {
    void refetch();
    setLast(undefined);
  }, [refetch]);
  return { data: kept === null ? data : undefined, error: error ?? kept, refetch: askByHand };
};

/** Asks a question about the server, whatever the workspace. */
export const useServerAnswer = <N extends RouteName>(name: N, asking: Omit<Asking<N>, 'signal'> | undefined = undefined) =>
  useQuery({
    queryKey: serverKeyOf(name, asking),
    queryFn: ({ signal }) => ask(name, { ...asking, signal } as unknown as Asking<N>) as Promise<Answered<Routes[N]>>,
  });

interface Paged {
  readonly total: number;
  readonly next: string | null;
}

export interface List<T> {
  readonly items: readonly T[];
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

type ListName = {
  [N in RouteName]: Answered<Routes[N]> extends Paged ? N : never;
}[RouteName];

interface ListOptions<N extends ListName, T> {
  readonly asking: Omit<Asking<N>, 'workspace' | 'signal'>;
  readonly itemsOf: (page: Answered<Routes[N]>) => readonly T[];
  readonly limit: number;
}

/** A list that is read page by page as far as it is looked at. */
export const useList = <N extends ListName, T>(name: N, { asking, itemsOf, limit }: ListOptions<N, T>): List<T> => {
  const workspace = useWorkspaceId();
  const { query } = asking as { query?: object };
  const queryKey = keyOf(workspace, name, asking);
  const asked = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      ask(name, { ...asking, query: { ...query, limit, cursor }, workspace, signal } as unknown as Asking<N>) as Promise<
        Answered<Routes[N]>
      >,
    getNextPageParam: (last) => (last as Paged).next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = asked;
  const { data, error, refetch: retry } = useRefusal(queryKey, asked);
  const isLoading = isPending && error === null;
  const items = useMemo(() => data?.pages.flatMap((page) => itemsOf(page)) ?? [], [data, itemsOf]);
  const total = (data?.pages[0] as Paged | undefined)?.total;
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  // The same as long as nothing of it changes: what shows one list is not drawn again for another one.
  return useMemo(
    () => ({ items, total, hasMore: hasNextPage, isLoading, isLoadingMore: isFetchingNextPage, error, loadMore, retry }),
    [items, total, hasNextPage, isLoading, isFetchingNextPage, error, loadMore, retry],
  );
};

const sessionsOf = ({ sessions }: { sessions: Session[] }): readonly Session[] => sessions;
export const useSessions = (status?: Session['status']): List<Session> =>
  useList('listSessions', { asking: { query: { status } }, itemsOf: sessionsOf, limit: AT_ONCE.sessions });

const turnsOf = ({ turns }: { turns: Turn[] }): readonly Turn[] => turns;
export const useTurns = (session: string, branch: string | undefined): List<Turn> =>
  useList('listTurns', { asking: { params: { session }, query: { branch } }, itemsOf: turnsOf, limit: AT_ONCE.turns });

/** What of the checkpoints is shown. */
export interface CheckpointFilter {
  readonly kind?: Checkpoint['kind'] | undefined;
  readonly tool?: string | undefined;
  readonly agentId?: string | undefined;
  readonly forkPoints?: true | undefined;
}

const checkpointsOf = ({ checkpoints }: { checkpoints: Checkpoint[] }): readonly Checkpoint[] => checkpoints;
export const useCheckpoints = (session: string, branch: string | undefined, filter: CheckpointFilter = {}): List<Checkpoint> =>
  useList('listCheckpoints', {
    asking: { params: { session }, query: { branch, ...(filter as { kind?: undefined }) } },
    itemsOf: checkpointsOf,
    limit: AT_ONCE.checkpoints,
  });

/** Records that only add to what is shown. */
const ADDING: readonly string[] = ['session-start', 'prompt', 'before-step', 'after-step', 'turn-end', 'session-end', 'manual', 'compact'];

/** A `hello` too: nobody listened before it. */
const NEWS: readonly ServerEvent['event'][] = ['hello', 'reset', 'operation', 'fork'];

/** News of several records at once are taken together. */
const TOGETHER = 150;

/** Asks again for what an event may have changed. */
export const useRefreshing = (): void => {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const pending = useMemo(() => ({ timer: 0, isAll: false }), []);
  useEvents((event) => {
    if (!NEWS.includes(event.event)) return;
    pending.isAll ||= event.event !== 'operation' || !ADDING.includes(event.data.kind);
    if (pending.timer !== 0) return;
    pending.timer = window.setTimeout(() => {
      const { isAll } = pending;
      pending.timer = 0;
      pending.isAll = false;
      if (!isAll)
        for (const { queryKey } of client.getQueryCache().findAll({ queryKey: [workspace] })) void refreshBeginning(client, queryKey);
      askAgain(
        client,
        ([own, what]) =>
          (own === workspace && what !== FIXED && (isAll || !isGrowing(what))) || (own === 'server' && what === 'listWorkspaces'),
      );
    }, TOGETHER);
  });
};
