import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeText } from './contents.ts';
import { BenchDaemon } from './daemon.ts';
import { HttpClient } from './http-client.ts';
import { FILES, type LongStore, longStore, SESSION } from './long-store.ts';
import { comeToRest, demand, type Sample, summarize } from './measure.ts';
import type { Measurement, Plan } from './plan.ts';
import { Random } from './random.ts';
import type { Row } from './report.ts';
import { projectPaths } from './repositories.ts';
import { say } from './say.ts';
import { MESSAGES } from './sessions.ts';

/** At once, where requests per second are counted. */
const CLIENTS = 8;
/** Files of a checkpoint and a rollback. */
const TEN = 10;

/** PRF-9: how long answers over HTTP take, from the request on a connection that is there to the last byte. */
export const http: Measurement = {
  rule: 'PRF-9',
  measure: async (bench) => {
    const { plan } = bench;
    const { home, directory, changes } = await longStore(bench);
    const daemon = BenchDaemon.start(home, directory);
    const client = HttpClient.serve(home, directory);
    try {
      await daemon.call('checkpoint', { request: { name: 'warm' } });
      await daemon.warm();
      await daemon.practise();
      return [
        ...(await reading(client, plan, changes)),
        ...(await changing(client, directory, plan)),
        await listening(client, directory, plan),
      ];
    } finally {
      client.close();
      await daemon.stop();
    }
  },
};

interface Listed {
  readonly total: number;
}

const reading = async (
  client: HttpClient,
  { http: { checkpoints, files }, sessions, rounds }: Plan,
  { before, after }: LongStore['changes'],
): Promise<Row[]> => {
  const ask = async (path: string, total: number): Promise<void> => {
    const found = await client.get<Listed>(path);
    demand(found.total >= total, `${path} told of ${found.total} and not of ${total}`);
  };
  const forkTree = async (): Promise<void> => {
    const { tree } = await client.get<{ tree: readonly unknown[] }>(`/api/sessions/${SESSION_WITH_FORKS}/fork-tree?all=true`);
    demand(tree.length > sessions / 2, `the tree has ${tree.length} conversations`);
  };
  const many = sessions.toLocaleString('en');
  return [
    await measured('the list of sessions, a page of it', `${many} sessions`, 200, rounds, () => ask('/api/sessions', sessions)),
    await measured('a timeline, a page of it', `${checkpoints.toLocaleString('en')} checkpoints`, 200, rounds, () =>
      ask(`/api/sessions/${SESSION}/checkpoints`, checkpoints),
    ),
    await measured('a difference with all its files', `${files.toLocaleString('en')} files`, 500, rounds, () =>
      ask(`/api/sessions/${SESSION}/checkpoints/${before}/diff/${after}?limit=1000`, files),
    ),
    await measured('the tree of forks', `${many} sessions, ${(sessions * MESSAGES).toLocaleString('en')} messages`, 200, rounds, forkTree),
  ];
};

/** Rewound once: the third. */
const SESSION_WITH_FORKS = '00000000-0000-4000-8000-000000000002';

/** One after the other, then several at once. */
const measured = async (what: string, size: string, bar: number, rounds: number, ask: () => Promise<void>): Promise<Row> => {
  say(`PRF-9: ${what}`);
  await ask();
  const retake = await timed(rounds * 3, ask);
  const requests = CLIENTS * rounds;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let done = 0; done < rounds; done++) await ask();
    }),
  );
  const perSecond = Math.round((requests / (performance.now() - start)) * 1000);
  return rowOf(what, `${size}; ${perSecond} requests/s by ${CLIENTS}`, retake, bar);
};

const timed = async (times: number, work: () => Promise<unknown>, before: () => unknown = () => {}): Promise<Sample> => {
  const all: number[] = [];
  for (let round = 0; round < times; round++) {
    await before();
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return summarize(all);
};

const rowOf = (what: string, size: string, retake: Sample, bar: number): Row => ({
  measure: `PRF-9 over HTTP, ${what}, against ${bar} ms`,
  size,
  retake,
  peer: { median: bar, fastest: bar, slowest: bar, runs: 1 },
  bar: { atMost: 1 },
});

interface Made {
  readonly id: string;
}

const changing = async (client: HttpClient, directory: string, { rounds }: Plan): Promise<Row[]> => {
  const random = new Random(10);
  const paths = projectPaths(FILES).slice(0, TEN);
  const edit = async (): Promise<void> => {
    for (const path of paths) writeFileSync(join(directory, path), makeText(random, 2000));
    await comeToRest();
  };
  say('PRF-9: checkpoints and rollbacks');
  const record = (): Promise<Made> => client.post<Made>(`/api/sessions/${SESSION}/checkpoints`, {});
  const checkpoint = await timed(rounds, record, edit);
  const { id } = await record();
  let expectedTree = '';
  const show = async (): Promise<void> => {
    await edit();
    const at = `/api/sessions/${SESSION}/checkpoints/${id}/rollback/preview`;
    ({ expectedTree } = await client.get<{ expectedTree: string }>(at));
  };
  const rollBack = async (): Promise<void> => {
    const { restored } = await client.post<{ restored: number }>(`/api/sessions/${SESSION}/checkpoints/${id}/rollback`, {
      scope: 'code',
      expectedTree,
    });
    demand(restored === TEN, `${restored} files were restored`);
  };
  const rollback = await timed(rounds, rollBack, show);
  return [rowOf('a checkpoint', `${TEN} files changed`, checkpoint, 100), rowOf('a rollback', `${TEN} files`, rollback, 1000)];
};

/** From the request that records something to the last of all listeners that hear of it, against one that listens alone. */
const listening = async (client: HttpClient, directory: string, { http: { listeners }, rounds }: Plan): Promise<Row> => {
  say(`PRF-9: events to ${listeners} listeners`);
  const alone = await heardBy(client, directory, 1, rounds);
  const all = await heardBy(client, directory, listeners, rounds);
  return {
    measure: 'PRF-9 from a record to the last listener that hears of it, against one listener',
    size: `${listeners} listeners`,
    retake: all,
    peer: alone,
    bar: { atMost: 3 },
  };
};

const heardBy = async (client: HttpClient, directory: string, listeners: number, rounds: number): Promise<Sample> => {
  let left = 0;
  let done = (): void => {};
  const heard = (event: string): void => {
    if (event === 'operation' && --left === 0) done();
  };
  const ends = await Promise.all(Array.from({ length: listeners }, () => client.follow(heard)));
  let number = 0;
  const sample = await timed(
    rounds,
    async () => {
      const all = new Promise<void>((resolve) => {
        done = resolve;
        left = listeners;
      });
      await Promise.all([all, client.post('/api/sessions/local/checkpoints', {})]);
    },
    async () => {
      writeFileSync(join(directory, 'heard.txt'), `${listeners} ${++number}\n`);
      await comeToRest();
    },
  );
  for (const end of ends) end();
  return sample;
};
