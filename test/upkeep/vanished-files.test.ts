import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkStore, createCheckpoint, maintain, readStatus, repairStore, type Status, Workspace } from '../../src/engine/index.ts';
import { RetakeError } from '../../src/model/index.ts';
import { surveyRefs } from '../../src/store/index.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { DEEP, SLICE, SLICES } from '../support/tier.ts';
import { RichStore, unreadableByGit } from './rich-store.ts';

const rich = new RichStore();
const everything = [...new Set([...rich.needs.values()].flat())];
const files = readdirSync(rich.data, { recursive: true, encoding: 'utf8' })
  .filter((name) => statSync(join(rich.data, name)).isFile())
  .sort();

const isObject = (file: string): boolean => /^store[.]git\/objects\/[0-9a-f]{2}\//.test(file);
const idOf = (file: string): string => file.slice(-41).replace('/', '');

const git = (...args: string[]): string =>
  execFileSync('git', ['--git-dir', rich.store, ...args], { env: hermeticEnvironment('/nonexistent'), encoding: 'utf8' });

/** The files that hold each object, while all of them are there. */
const holders = new Map<string, string[]>();
for (const file of files) {
  const ids = isObject(file)
    ? [idOf(file)]
    : file.endsWith('.idx')
      ? git('verify-pack', '-v', join(rich.data, file)).match(/^[0-9a-f]{40}(?= \w+ +\d+ \d+ \d+)/gm)
      : [];
  for (const id of ids ?? []) holders.set(id, [...(holders.get(id) ?? []), file.replace(/idx$/, 'pack')]);
}

/** One loose object of each kind stands for the others. */
const representative = (): string[] => {
  const kinds = new Map(files.filter(isObject).map((file) => [git('cat-file', '-t', idOf(file)).trim(), file]));
  return [...files.filter((file) => !isObject(file)), ...kinds.values()];
};

const used = async <T>(work: (workspace: Workspace) => T | Promise<T>): Promise<T | RetakeError> => {
  process.env.RETAKE_HOME = rich.retake.home;
  try {
    const workspace = await Workspace.open({ directory: rich.workspace });
    try {
      return await work(workspace);
    } finally {
      workspace.close();
    }
  } catch (error) {
    // Refused with a reason; anything else was not foreseen.
    if (error instanceof RetakeError) return error;
    throw error;
  }
};

/** The operations that refs hold, and those of them that can be read. */
const loggedIn = (): Promise<{ held: Set<string>; logged: Set<string> }> =>
  rich.opened(async ({ store }) => {
    const { operations, unreadable } = surveyRefs(store);
    return { held: new Set([...operations, ...unreadable].map(({ id }) => id)), logged: new Set(operations.map(({ id }) => id)) };
  });

/** What is still there comes back, and what is not is named. */
const judge = async (gone: readonly string[], records: boolean): Promise<void> => {
  rich.reset();
  for (const file of gone) rmSync(join(rich.data, file));
  const survivors = everything.filter((id) => !(holders.get(id) ?? []).length || holders.get(id)?.some((file) => !gone.includes(file)));
  const whole = [...rich.needs].flatMap(([id, needs]) => (needs.every((object) => survivors.includes(object)) ? [id] : []));
  if (records) await used((workspace) => createCheckpoint(workspace, { name: 'after the loss' }));
  const status = await used(readStatus);
  const quick = await rich.opened((workspace) => checkStore(workspace, { full: false }));
  const upkeep = await used((workspace) => maintain(workspace, { now: true }));
  const full = await rich.opened((workspace) => checkStore(workspace, { full: true }));
  const { held } = await loggedIn();
  if (whole.some((id) => !held.has(id)) && !(status instanceof RetakeError)) {
    expect((status as Status).missing, 'status tells').not.toBeNull();
    expect(quick.damage.length, 'check tells').toBeGreaterThan(0);
    expect(upkeep, 'upkeep deletes nothing').toBeInstanceOf(RetakeError);
  }
  const result = await rich.opened((workspace) => repairStore(workspace));
  const unreadable = unreadableByGit(rich.store, everything);
  expect(
    survivors.filter((id) => unreadable.has(id)),
    'no object was deleted',
  ).toEqual([]);
  const { logged } = await loggedIn();
  expect(
    whole.filter((id) => !logged.has(id)),
    'what is whole comes back',
  ).toEqual([]);
  const findings = [...quick.damage, ...full.damage, ...result.lost.damage];
  const named = new Set<string>([...findings.flatMap(({ operations }) => operations), ...result.lostOperations.map(({ id }) => id)]);
  const silent = [...rich.needs].filter(([id, needs]) => !named.has(id) && (!logged.has(id) || needs.some((one) => unreadable.has(one))));
  expect(silent.length, 'what does not come back is named, or counted').toBeLessThanOrEqual(result.untraced);
  const after = await used(readStatus);
  expect(after).toMatchObject({ missing: null });
  const isWhole = result.lost.damage.length === 0;
  if (isWhole) expect(await used((workspace) => maintain(workspace, { now: true })), 'upkeep goes on').not.toBeInstanceOf(RetakeError);
  expect(await used((workspace) => createCheckpoint(workspace, { name: 'at last' })), 'recording goes on').not.toBeInstanceOf(RetakeError);
};

const cases = (): string[][] => {
  const singles = DEEP ? files : representative();
  const pairs = singles.flatMap((one, at) => singles.slice(at + 1).map((other) => [one, other]));
  return [...singles.map((one) => [one]), ...pairs.filter((_, at) => DEEP || at % (SLICES * 8) === SLICE)];
};

test('[REL-5] [STO-3] any file of the store vanishes, alone and with any other, before status, check, upkeep and repair: no silent loss', async () => {
  const failures: string[] = [];
  const all = cases();
  for (const [at, gone] of all.entries()) {
    try {
      await judge(gone, at % 2 === 1);
    } catch (error) {
      failures.push(`${gone.join(' and ')}${at % 2 === 1 ? ', then a checkpoint' : ''}: ${error instanceof Error ? error.message : error}`);
      if (failures.length === 10) break;
    }
  }
  console.log(`${files.length} files, ${all.length} cases`);
  expect(failures).toEqual([]);
});

test('[REL-5] going back works after a repair of a store that lost its refs and its index', () => {
  rich.reset();
  for (const name of ['store.git/refs', 'store.git/packed-refs', 'index.db']) rmSync(join(rich.data, name), { recursive: true });
  rich.retake.json(rich.workspace, 'repair', '--yes');
  const checkpoints = rich.retake.json(rich.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind === 'manual');
  expect(checkpoints).toHaveLength(5);
  for (const { id } of checkpoints) rich.retake.json(rich.workspace, 'rewind', id, '--yes');
});
