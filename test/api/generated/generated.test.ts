import { expect, test } from 'vitest';
import { openApi } from '../../../src/api/index.ts';
import { forked, forkScene } from '../../forks/forked.ts';
import { gitIn } from '../../support/git.ts';
import { fsck } from '../../support/private-store.ts';
import { runs, SEED } from '../../support/property.ts';
import { randomFrom } from '../../support/random.ts';
import { commitAll, put, storeOf } from '../../support/scene.ts';
import { serve } from '../served.ts';
import { readLive } from './live.ts';
import { generate, type Operation, operationsOf } from './requests.ts';
import type { Chance } from './values.ts';

/** The same requests each time, unless others are asked for. */
const ROUNDS = runs(1, 4);

const MOST_MORE = 60;

/** What is there changes with what is done: it is looked at again after so many. */
const FRESH = 40;

/** Nothing is under way that could be cancelled, when one request follows the other. */
const NEVER_REACHED = ['cancelJob'];

/** Routes that would make the rest of the run say nothing. */
const LEFT_OUT = ['signOut'];

/** The engine was asked, whatever it said; of a 404 nobody knows. */
const REACHED = new Set([200, 201, 409, 422]);

const requestsTo = (operation: Operation): readonly boolean[] =>
  [true, true, true, false].slice(0, operation.parameters.length + (operation.body ? 1 : 0) === 0 ? 1 : 4);

test('[API] requests made of the OpenAPI document, fitting and not, mutations included: no 500, and the store is whole', async () => {
  const at = forkScene();
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, 'README.md', 'first\n');
  commitAll(at.workspace, 'first');
  await forked(at);
  const served = serve(at);
  const document = JSON.parse(JSON.stringify(openApi('1')));
  const operations = operationsOf(document).filter(({ name }) => !LEFT_OUT.includes(name));
  const chance: Chance = randomFrom(SEED);
  const statuses = new Map<string, Map<number, number>>();
  const bad: string[] = [];
  let count = 0;
  let live = readLive(served);
  const send = async (operation: Operation, isValid: boolean): Promise<void> => {
    if (++count % FRESH === 0) live = readLive(served);
    const { target, init } = generate(operation, isValid, { chance, live, schemas: document.components.schemas });
    const response = await served.signed(target, init);
    const { status } = response;
    const text = await textOf(response, `${init.method} ${target}`);
    if (status >= 500 && status !== 503 && status !== 507)
      bad.push(`${status} ${init.method} ${target} ${init.body ?? ''} ${text.slice(0, 300)}`);
    const counts = statuses.get(operation.name) ?? new Map<number, number>();
    statuses.set(operation.name, counts.set(status, (counts.get(status) ?? 0) + 1));
  };
  const isReached = (name: string): boolean => [...(statuses.get(name)?.keys() ?? [])].some((status) => REACHED.has(status));
  // Some need several things at once that belong together, and chance does not lead there soon.
  const reach = async (chosen: readonly Operation[]): Promise<void> => {
    for (const operation of chosen.filter(({ name }) => !NEVER_REACHED.includes(name)))
      for (let more = 0; more < MOST_MORE && !isReached(operation.name); more++) await send(operation, true);
  };
  await reach(operations.filter(({ method }) => method !== 'DELETE'));
  for (let round = 0; round < ROUNDS; round++)
    for (const operation of operations) for (const isValid of requestsTo(operation)) await send(operation, isValid);
  // Last, because the others need what these delete.
  await reach(operations.filter(({ method }) => method === 'DELETE'));
  const reached = [...statuses.values()]
    .flatMap((counts) => [...counts])
    .reduce((sum, [status, times]) => sum + (REACHED.has(status) ? times : 0), 0);
  console.log(`${count} requests (seed ${SEED}), ${reached} reached the engine\n${table(statuses)}`);
  expect(bad).toEqual([]);
  expect(served.faults).toEqual([]);
  expect(reached / count).toBeGreaterThan(0.5);
  expect([...statuses.keys()].filter((name) => !isReached(name))).toEqual(NEVER_REACHED);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
  expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
});

/** All of an answer but for one that goes on for ever. */
const textOf = async (response: Response, asked: string): Promise<string> => {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  await response.body?.cancel();
  return asked;
};

const table = (statuses: ReadonlyMap<string, ReadonlyMap<number, number>>): string =>
  [...statuses]
    .map(
      ([name, counts]) =>
        `  ${name.padEnd(28)} ${[...counts]
          .sort(([a], [b]) => a - b)
          .map(([status, times]) => `${status}×${times}`)
          .join('  ')}`,
    )
    .join('\n');
