import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { drain } from '../../src/daemon/drain.ts';
import type { HookEvent } from '../../src/daemon/protocol.ts';
import { spoolEvent, spooledFiles } from '../../src/daemon/spool.ts';
import { RetakeError } from '../../src/model/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const event = (payload: string): HookEvent => ({ agent: 'test', payload, at: new Date().toISOString() });

let spool: string;
let logged: string[];

beforeEach(() => {
  const home = temporaryDirectory();
  vi.stubEnv('RETAKE_HOME', home);
  vi.stubEnv('HOME', home);
  spool = join(home, 'spool');
  logged = [];
  return () => vi.unstubAllEnvs();
});

const drainAll = async (): Promise<{ payloads: string[]; waits: number[] }> => {
  const payloads: string[] = [];
  const waits: number[] = [];
  const take = async ({ payload }: HookEvent, { ms }: { readonly ms: number }): Promise<void> => {
    payloads.push(payload);
    waits.push(ms);
  };
  await drain(take, { log: (line) => logged.push(line), wait: true });
  return { payloads, waits };
};

describe('the spool', () => {
  test('[REL-4] events come back in the order in which they came, once', async () => {
    for (let number = 0; number < 50; number++) spoolEvent(event(`${number}`));
    const { payloads, waits } = await drainAll();
    expect(payloads).toEqual(Array.from({ length: 50 }, (_, number) => `${number}`));
    expect(waits.every((ms) => ms >= 0)).toBe(true);
    expect(spooledFiles()).toEqual([]);
    expect((await drainAll()).payloads).toEqual([]);
  });

  test('[SEC] its files are for the user alone', () => {
    const path = spoolEvent(event('secret'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(spool).mode & 0o777).toBe(0o700);
  });

  test('[REL-4] what an earlier boot left comes first, although its clock had run longer', async () => {
    const newest = spoolEvent(event('this boot'));
    const content = (payload: string): string =>
      JSON.stringify({ ...JSON.parse(readFileSync(newest, 'utf8')), event: { ...event(payload), at: new Date(0).toISOString() } });
    for (const [boot, number, time] of [
      ['boot-b', 2, 2000],
      ['boot-a', 1, 1000],
    ] as const) {
      const folder = join(spool, boot);
      mkdirSync(folder);
      writeFileSync(join(folder, `${'9'.repeat(20)}-1-a.json`), content(`earlier ${number}`));
      utimesSync(folder, time, time);
    }
    const { payloads, waits } = await drainAll();
    expect(payloads).toEqual(['earlier 1', 'earlier 2', 'this boot']);
    expect(waits[0]).toBeGreaterThan(waits[2] as number);
    expect(readdirSync(spool).filter((name) => name.startsWith('boot-'))).toEqual([]);
  });

  test('[REL-6] garbage is set aside and told, and keeps nothing from being recorded', async () => {
    const folder = dirname(spoolEvent(event('first')));
    const garbage = { 'not json': '{"event"', null: 'null', 'no event': '{}', 'no payload': '{"event":{"agent":"a","at":""}}' };
    for (const [name, content] of Object.entries(garbage)) writeFileSync(join(folder, `0-${name}`), content);
    mkdirSync(join(folder, '0-directory'));
    spoolEvent(event('second'));
    expect((await drainAll()).payloads).toEqual(['first', 'second']);
    expect(spooledFiles()).toEqual([]);
    expect(readdirSync(join(spool, 'unreadable')).sort()).toEqual([...Object.keys(garbage), 'directory'].map((name) => `0-${name}`).sort());
    expect(logged).toHaveLength(5);
  });

  test('[REL-3] what can not be recorded now stays, and everything after it', async () => {
    for (const payload of ['a', 'b', 'c']) spoolEvent(event(payload));
    const taken: string[] = [];
    const take = async ({ payload }: HookEvent): Promise<void> => {
      if (payload === 'b') throw new Error('disk full');
      taken.push(payload);
    };
    await expect(drain(take, { log: () => {}, wait: true })).rejects.toThrow('disk full');
    expect(taken).toEqual(['a']);
    expect((await drainAll()).payloads).toEqual(['b', 'c']);
  });

  test('[REL-3] [REL-4] what is refused for one workspace holds up what came after it there, in order, and nobody else', async () => {
    for (const payload of ['one a', 'two a', 'one b', 'two b']) spoolEvent(event(payload));
    const taken: string[] = [];
    const take = async ({ payload }: HookEvent): Promise<void> => {
      if (payload === 'one a') throw new RetakeError('permission', 'not now');
      taken.push(payload);
    };
    const laneOf = ({ payload }: HookEvent): string => payload.slice(0, 3);
    await expect(drain(take, { log: () => {}, wait: true, laneOf })).rejects.toThrow('not now');
    expect(taken).toEqual(['two a', 'two b']);
    expect((await drainAll()).payloads).toEqual(['one a', 'one b']);
  });

  test('[REL-4] what comes while it is emptied is taken too', async () => {
    spoolEvent(event('first'));
    const taken: string[] = [];
    const take = async ({ payload }: HookEvent): Promise<void> => {
      if (payload === 'first') spoolEvent(event('meanwhile'));
      taken.push(payload);
    };
    await drain(take, { log: () => {}, wait: true });
    expect(taken).toEqual(['first', 'meanwhile']);
  });

  test('[REL-4] two that empty it at once hand over each event once', async () => {
    for (let number = 0; number < 20; number++) spoolEvent(event(`${number}`));
    const results = await Promise.all([drainAll(), drainAll()]);
    expect(results.flatMap(({ payloads }) => payloads)).toEqual(Array.from({ length: 20 }, (_, number) => `${number}`));
  });

  test('[CAP] events of hooks with another configuration directory are left to their own', async () => {
    const own = spoolEvent(event('own'));
    vi.stubEnv('XDG_CONFIG_HOME', '/elsewhere');
    const foreign = spoolEvent(event('foreign'));
    expect((await drainAll()).payloads).toEqual(['foreign']);
    expect([existsSync(own), existsSync(foreign)]).toEqual([true, false]);
  });

  test('[REL-2] what a killed hook had half written is no event, and is cleared away when it is old', async () => {
    const folder = dirname(spoolEvent(event('whole')));
    const torn = ['tmp_obj_retake_1-new', 'tmp_obj_retake_1-old'].map((name) => join(folder, name)) as [string, string];
    for (const path of torn) writeFileSync(path, '{"event":{"ag');
    utimesSync(torn[1], 0, 0);
    expect(spooledFiles()).toHaveLength(1);
    expect((await drainAll()).payloads).toEqual(['whole']);
    expect(readdirSync(folder)).toEqual([basename(torn[0])]);
  });
});
