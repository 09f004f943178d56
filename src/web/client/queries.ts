import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Answered, RouteName, Routes } from '../../api/index.ts';
import { ask } from './ask.ts';
import { isGrowing, refreshBeginning } from './growing.ts';
import { useEvents } from './live.tsx';
import type { Checkpoint, Session, Turn } from './types.ts';
import { useWorkspaceId } from './workspace.tsx';

/**
 * Questions that views ask, and when the answers are asked for again: never by the clock, always because an event said that something
 * happened.
 *
 * A key is `[workspace, what, …]`. What never changes (the difference of two records) has `FIXED` as its second word and stays.
 */
export const FIXED = 'fixed';

/** Where the answer to a question is kept. */
export const keyOf = (workspace: string, name: RouteName, asking: object = {}): QueryKey => [workspace, name, asking];

type Asking<N extends RouteName> = NonNullable<Parameters<typeof ask<N>>[1]>;

/** Asks one question about the workspace; undefined in place of what is asked waits until it is known. */
export const useAnswer = <N extends RouteName>(name: N, asking: Omit<Asking<N>, 'workspace' | 'signal'> | undefined, isFixed = false) => {
  const workspace = useWorkspaceId();
  return useQuery({
    queryKey: isFixed ? [workspace, FIXED, name, asking] : keyOf(workspace, name, asking),
    queryFn: ({ signal }) => ask(name, { ...asking, workspace, signal } as unknown as Asking<N>) as Promise<Answered<Routes[N]>>,
    enabled: asking !== undefined,
    placeholderData: keepPreviousData,
    ...(isFixed ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  });
};

/** Asks a question about the server, whatever the workspace. */
export const useServerAnswer = <N extends RouteName>(name: N) =>
  useQuery({
    queryKey: ['server', name],
    queryFn: ({ signal }) => ask(name, { signal } as unknown as Asking<N>) as Promise<Answered<Routes[N]>>,
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
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: keyOf(workspace, name, asking),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      ask(name, { ...asking, query: { ...query, limit, cursor }, workspace, signal } as unknown as Asking<N>) as Promise<
        Answered<Routes[N]>
      >,
    getNextPageParam: (last) => (last as Paged).next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const items = useMemo(() => data?.pages.flatMap((page) => itemsOf(page)) ?? [], [data, itemsOf]);
  return {
    items,
    total: (data?.pages[0] as Paged | undefined)?.total,
    hasMore: hasNextPage,
    isLoading: isPending,
    isLoadingMore: isFetchingNextPage,
    error,
    loadMore: useCallback(() => {
      if (!isFetchingNextPage) void fetchNextPage();
    }, [fetchNextPage, isFetchingNextPage]),
    retry: () => void refetch(),
  };
};

const sessionsOf = ({ sessions }: { sessions: Session[] }): readonly Session[] => sessions;
export const useSessions = (status?: Session['status']): List<Session> =>
  useList('listSessions', { asking: { query: { status } }, itemsOf: sessionsOf, limit: 50 });

const turnsOf = ({ turns }: { turns: Turn[] }): readonly Turn[] => turns;
export const useTurns = (session: string, branch: string | undefined): List<Turn> =>
  useList('listTurns', { asking: { params: { session }, query: { branch } }, itemsOf: turnsOf, limit: 100 });

/** What of the checkpoints is shown. */
export interface CheckpointFilter {
  readonly kind?: Checkpoint['kind'] | undefined;
  readonly tool?: string | undefined;
  readonly agentId?: string | undefined;
}

const checkpointsOf = ({ checkpoints }: { checkpoints: Checkpoint[] }): readonly Checkpoint[] => checkpoints;
export const useCheckpoints = (session: string, branch: string | undefined, filter: CheckpointFilter = {}): List<Checkpoint> =>
  useList('listCheckpoints', {
    asking: { params: { session }, query: { branch, ...(filter as { kind?: undefined }) } },
    itemsOf: checkpointsOf,
    limit: 100,
  });

/** Records that only add to what is shown. */
const ADDING: readonly string[] = ['session-start', 'prompt', 'before-step', 'after-step', 'turn-end', 'session-end', 'manual', 'compact'];

/** News of several records at once are taken together. */
const TOGETHER = 150;

/** Asks again for what an event may have changed. */
export const useRefreshing = (): void => {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const pending = useMemo(() => ({ timer: 0, isAll: false }), []);
  useEvents((event) => {
    if (event.event !== 'operation' && event.event !== 'reset' && event.event !== 'fork') return;
    pending.isAll ||= event.event !== 'operation' || !ADDING.includes(event.data.kind);
    if (pending.timer !== 0) return;
    pending.timer = window.setTimeout(() => {
      const { isAll } = pending;
      pending.timer = 0;
      pending.isAll = false;
      if (!isAll)
        for (const { queryKey } of client.getQueryCache().findAll({ queryKey: [workspace] })) void refreshBeginning(client, queryKey);
      void client.invalidateQueries({
        predicate: ({ queryKey: [own, what] }) =>
          (own === workspace && what !== FIXED && (isAll || !isGrowing(what))) || (own === 'server' && what === 'listWorkspaces'),
      });
    }, TOGETHER);
  });
};
