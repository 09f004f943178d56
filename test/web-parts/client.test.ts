import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { refreshBeginning } from '../../src/web/client/growing.ts';
import { askAgain, askAgainForKnown, FIXED, keyOf } from '../../src/web/client/keys.ts';
import { oneAtATime } from '../../src/web/client/one-at-a-time.ts';
import { readWorkspaces } from '../../src/web/client/workspaces.ts';
import { serve } from '../api/served.ts';
import { put, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Work that ends when it is told to. */
const byHand = () => {
  const ends: ((failure?: Error) => void)[] = [];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => ends.push((failure) => (failure === undefined ? resolve() : reject(failure))));
  return { ends, work };
};

const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

describe('one at a time', () => {
  test('[UI-4] what is asked for while it is at work is done once more after that, however often it was asked for', async () => {
    const inTurn = oneAtATime();
    const { ends, work } = byHand();
    const first = inTurn('a', work);
    await Promise.all([inTurn('a', work), inTurn('a', work)]);
    void inTurn('b', work);
    expect(ends.length).toBe(2);
    ends[0]?.();
    await settle();
    expect(ends.length).toBe(3);
    ends[2]?.();
    await first;
    expect(ends.length).toBe(3);
  });

  test('[UI-4] work that fails says so, and keeps nobody from doing it again', async () => {
    const inTurn = oneAtATime();
    const { ends, work } = byHand();
    const first = inTurn('a', work);
    ends[0]?.(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    void inTurn('a', work);
    expect(ends.length).toBe(2);
  });
});

describe('asking again', () => {
  const known = keyOf('here', 'listSessions');

  test('[UI-4] of a workspace that one comes back to, all that may have changed counts as old, and nothing else', async () => {
    const client = new QueryClient();
    const [fixed, elsewhere] = [
      ['here', FIXED, 'record'],
      ['there', 'listSessions', {}],
    ];
    for (const key of [known, fixed, elsewhere]) client.setQueryData(key as string[], { sessions: [] });
    await askAgainForKnown(client, 'here');
    expect([known, fixed, elsewhere].map((key) => client.getQueryState(key as string[])?.isInvalidated)).toEqual([true, false, false]);
  });

  test('[UI-4] news while something is asked for the first time: its answer counts as old', async () => {
    const client = new QueryClient();
    const { ends, work } = byHand();
    const asking = client.fetchQuery({ queryKey: known, queryFn: () => work().then(() => 'before the news') });
    askAgain(client, ([own]) => own === 'here');
    ends[0]?.();
    await asking;
    await settle();
    expect(client.getQueryState(known)).toMatchObject({ data: 'before the news', isInvalidated: true });
  });

  test('[UI-4] a list whose beginning can not be read anew is read as a whole when it is next looked at', async () => {
    const client = new QueryClient();
    const key = keyOf('here', 'listTurns', { params: { session: 's' } });
    client.setQueryData(key, { pages: [{ turns: [], total: 0, next: null }], pageParams: [undefined] });
    // Nobody answers here.
    await refreshBeginning(client, key);
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
  });
});

describe('the workspaces', () => {
  test('[UI-4] are told of, however many pages they fill', async () => {
    const at = scene();
    const others = [1, 2, 3].map(() => ({ ...at, workspace: temporaryDirectory() }));
    for (const { workspace, retake } of [at, ...others]) {
      put(workspace, 'a.txt', workspace);
      retake.json(workspace, 'checkpoint');
    }
    const { ask } = serve(at);
    const all = await readWorkspaces(ask, 1);
    expect(all.map(({ root }) => root).sort()).toEqual([at, ...others].map(({ workspace }) => workspace).sort());
    expect(all.filter(({ isDefault }) => isDefault).map(({ root }) => root)).toEqual([at.workspace]);
  });
});
