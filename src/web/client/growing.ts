import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { RouteName } from '../../api/index.ts';
import { ask } from './ask.ts';

/** Lists of which a new record changes the beginning alone, and which may be long: the rest of them is not read again. */
const GROWING = {
  listCheckpoints: { items: 'checkpoints', id: 'id' },
  listTurns: { items: 'turns', id: 'number' },
} as const;

type GrowingName = keyof typeof GROWING;
type Item = Readonly<Record<string, unknown>>;
type Page = Readonly<Record<string, unknown>> & { readonly total: number; readonly next: string | null };

export const isGrowing = (name: unknown): name is GrowingName => typeof name === 'string' && name in GROWING;

/** Enough for what comes in while a person looks. */
const BEGINNING = 50;

/** Puts what is new before what was read of a list. */
export const refreshBeginning = async (client: QueryClient, key: QueryKey): Promise<void> => {
  const [workspace, name, asking] = key as [string, RouteName, { query?: object }];
  if (!isGrowing(name) || client.getQueryData(key) === undefined) return;
  const query = { ...asking.query, limit: BEGINNING };
  const newest = (await ask(name, { ...asking, query, workspace } as unknown as Parameters<typeof ask<typeof name>>[1])) as unknown as Page;
  const { items, id } = GROWING[name];
  const itemsOf = (page: Page): readonly Item[] => page[items] as readonly Item[];
  const fresh = new Set(itemsOf(newest).map((item) => item[id]));
  const data = client.getQueryData<InfiniteData<Page>>(key);
  const [first, ...others] = data?.pages ?? [];
  if (data === undefined || first === undefined) return;
  const isJoined = newest.next === null || data.pages.some((page) => itemsOf(page).some((item) => fresh.has(item[id])));
  if (!isJoined) return client.invalidateQueries({ queryKey: key });
  const rest = (page: Page): readonly Item[] => itemsOf(page).filter((item) => !fresh.has(item[id]));
  client.setQueryData<InfiniteData<Page>>(key, {
    ...data,
    pages: [
      { ...first, total: newest.total, [items]: [...itemsOf(newest), ...rest(first)] },
      ...others.map((page) => ({ ...page, [items]: rest(page) })),
    ],
  });
};
