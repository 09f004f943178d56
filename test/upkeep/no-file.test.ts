import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonScene, PATIENT, promptPayload, tell } from '../daemon/support.ts';
import { operationIds } from '../support/private-store.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { dataOf, put, type Scene, scene, storeOf } from '../support/scene.ts';
import { DEEP } from '../support/tier.ts';
import { makeFifo } from '../usergit/support.ts';

/** Two checkpoints, one of them packed. */
const recorded = (): Scene => {
  const at = scene();
  for (const name of ['c1', 'c2']) {
    put(at.workspace, 'f', name);
    at.retake.json(at.workspace, 'checkpoint', '--name', name);
    if (name === 'c1') at.retake.json(at.workspace, 'gc', '--now');
  }
  return at;
};

const KINDS: readonly [string, (path: string) => void][] = [
  ['a directory', (path) => mkdirSync(path)],
  ['a pipe', makeFifo],
];

test.each(KINDS)('[REL-5] %s in the place of a file of the index stops nobody, is told of, and is moved aside by a repair', (_, make) => {
  for (const name of ['index.db', 'index.db-wal']) {
    const at = recorded();
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataOf(at), `index.db${suffix}`), { force: true });
    make(join(dataOf(at), name));
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(2);
    put(at.workspace, 'f', 'c3');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'c3');
    expect(at.retake.json(at.workspace, 'status')).toMatchObject({ checkpoints: 3, missing: null });
    const refused = at.retake.run(at.workspace, 'check', '--json');
    expectJsonRefusal(refused, 'store-damaged', 1);
    expect(refused.json.error.details.damage).toMatchObject([{ kind: 'index', problem: `${name} is no file` }]);
    at.retake.json(at.workspace, 'gc', '--now');
    expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ moved: [name], lost: [] });
    expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(3);
  }
});

test.each(KINDS)(
  '[REL-5] %s in the place of the ledger stops neither commands nor the daemon, and is moved aside by a repair',
  async (_, make) => {
    const at = daemonScene(PATIENT);
    await tell(at, promptPayload(at));
    at.retake.json(at.workspace, 'daemon', 'stop');
    const ledger = join(storeOf(at), 'retake-ledger');
    expect(statSync(ledger).isFile()).toBe(true);
    rmSync(ledger);
    make(ledger);
    await tell(at, promptPayload(at));
    expect(at.retake.json(at.workspace, 'status')).toMatchObject({ checkpoints: 2, missing: null });
    const refused = at.retake.run(at.workspace, 'check', '--json');
    expectJsonRefusal(refused, 'store-damaged', 1);
    expect(refused.json.error.details.damage).toMatchObject([{ kind: 'ledger', problem: 'it is no file' }]);
    expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ moved: ['store.git/retake-ledger'], lost: [] });
    await tell(at, promptPayload(at));
    expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
    expect(at.retake.json(at.workspace, 'status').checkpoints).toBe(3);
  },
);

/** Those that decide; in the deep tier all of them. */
const USUAL = /^(snapshot|workspace[.]json|upkeep[.]json|store[.]git\/(config|HEAD|packed-refs|refs\/heads\/last))$/;

/** git itself reads objects and waits for a pipe, locks are made by opening them, and a directory among refs is one of refs. */
const isSpared = (file: string): boolean => /objects\/|lock$|^index[.]db|refs\/retake\//.test(file);

test.each(KINDS)('[REL-5] %s in the place of any other file makes nobody wait, and a repair ends with all operations', (_, make) => {
  const first = recorded();
  const files = readdirSync(dataOf(first), { recursive: true, encoding: 'utf8' }).filter(
    (file) => statSync(join(dataOf(first), file)).isFile() && !isSpared(file) && (DEEP || USUAL.test(file)),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const at = recorded();
    const before = operationIds(storeOf(at));
    rmSync(join(dataOf(at), file));
    make(join(dataOf(at), file));
    for (const command of [['status'], ['checkpoint', '--name', 'c3'], ['check'], ['gc', '--now'], ['repair', '--yes']]) {
      const { stderr } = at.retake.run(at.workspace, ...command);
      expect(stderr, `${file}: ${command.join(' ')}`).not.toContain('foreseen');
    }
    expect(operationIds(storeOf(at)), file).toEqual(expect.arrayContaining(before));
    expect(at.retake.json(at.workspace, 'check').damage, file).toEqual([]);
  }
});
