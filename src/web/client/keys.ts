import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { RouteName } from '../../api/index.ts';

/**
 * Where answers are kept: a key is `[workspace, what, …]`, or `['server', what, …]`. What never changes (the difference of two records) has
 * `FIXED` as its second word and stays.
 */
export const FIXED = 'fixed';

export const keyOf = (workspace: string, name: RouteName, asking: object = {}): QueryKey => [workspace, name, asking];

export const serverKeyOf = (name: RouteName, asking: object = {}): QueryKey => ['server', name, asking];

/** Asks again for what was answered of a workspace before, as far as it can change. What is being asked for the first time is left alone. */
export const askAgainForKnown = (client: QueryClient, workspace: string): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [own, what], state }) => own === workspace && what !== FIXED && state.data !== undefined,
  });

/** Asks again because of news. What is on its way for the first time may be answered by what was before them: it is asked for once more. */
export const askAgain = (client: QueryClient, isMeant: (key: QueryKey) => boolean): void => {
  for (const { queryKey, state, promise } of client.getQueryCache().findAll({ predicate: (query) => isMeant(query.queryKey) })) {
    const again = (): Promise<void> => client.invalidateQueries({ queryKey, exact: true });
    if (state.data === undefined && promise !== undefined) void promise.then(again, again);
    else void again();
  }
};
