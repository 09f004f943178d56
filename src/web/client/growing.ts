import { hashKey, type InfiniteData, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { RouteName } from '../../api/index.ts';
import { ask } from './ask.ts';
import { oneAtATime } from './one-at-a-time.ts';

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

const inTurn = oneAtATime();

/** Puts what is new before what was read of a list; where that fails, all of it is read anew. */
export const refreshBeginning = async (client: QueryClient, key: QueryKey): Promise<void> => {
  try {
    // Of two at once, the one that was asked first could be answered last.
    await inTurn(hashKey(key), () => joinNewest(client, key));
  } catch {
    await client.invalidateQueries({ queryKey: key, exact: true });
  }
};

const joinNewest = async (client: QueryClient, key: QueryKey): Promise<void> => {
  const [workspace, name, asking] = key as [string, RouteName, { query?: object }];
  const list = client.getQueryCache().find({ queryKey: key });
  if (!isGrowing(name) || list === undefined) return;
  // What is on its way may be answered by what was before the news.
  await settled(list);
  if (list.state.data === undefined) return;
  const query = { ...asking.query, limit: BEGINNING };
  const newest = (await ask(name, { ...asking, query, workspace } as unknown as Parameters<typeof ask<typeof name>>[1])) as unknown as Page;
  // What reads on meanwhile puts the list as it began with it in place of this.
  await settled(list);
  const { items, id } = GROWING[name];
  const itemsOf = (page: Page): readonly Item[] => page[items] as readonly Item[];
  const fresh = new Set(itemsOf(newest).map((item) => item[id]));
  const data = client.getQueryData<InfiniteData<Page>>(key);
  const [first, ...others] = data?.pages ?? [];
  if (data === undefined || first === undefined) return;
  const isJoined = newest.next === null || data.pages.some((page) => itemsOf(page).some((item) => fresh.has(item[id])));
  if (!isJoined) return client.invalidateQueries({ queryKey: key, exact: true });
  const rest = (page: Page): readonly Item[] => itemsOf(page).filter((item) => !fresh.has(item[id]));
  client.setQueryData<InfiniteData<Page>>(key, {
    ...data,
    pages: [
      { ...first, total: newest.total, [items]: [...itemsOf(newest), ...rest(first)] },
      ...others.map((page) => ({ ...page, [items]: rest(page) })),
    ],
  });
};

/** Until nothing is read of it. */
const settled = async (list: Query): Promise<void> => {
  while (list.state.fetchStatus === 'fetching') await list.promise?.catch(() => undefined);
};
