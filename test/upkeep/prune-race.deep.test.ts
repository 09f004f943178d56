import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { checkStore, collectGarbage, importSession, prune, Workspace } from '../../src/engine/index.ts';
import { fsck, storedEntries } from '../support/private-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { sample } from '../support/tier.ts';

interface Told {
  readonly truth: Readonly<Record<string, string>>;
  readonly done: Readonly<Record<string, number>>;
}

const ROUNDS = sample(8, 40);

test(`[STO-3] [REL-4] ${ROUNDS} prunes while another process records, goes back, undoes and exports: nothing is broken`, async () => {
  const at = temporaryDirectory();
  const directory = join(at, 'workspace');
  const exports = temporaryDirectory();
  mkdirSync(directory);
  writeFileSync(join(directory, 'file'), 'begin\n');
  vi.stubEnv('HOME', at);
  vi.stubEnv('RETAKE_HOME', join(at, 'data'));
  vi.stubEnv('RETAKE_RETENTION_MAX_CHECKPOINTS', '12');
  const neighbour = fork(join(import.meta.dirname, 'busy-neighbour.ts'), [directory, exports], { execArgv: [], stdio: 'inherit' });
  const told = new Promise<Told>((resolve, reject) => {
    neighbour.on('message', (message: Told | { readonly failure: string }) =>
      'failure' in message ? reject(new Error(`the other process failed: ${message.failure}`)) : resolve(message),
    );
    neighbour.on('exit', (code) => reject(new Error(`the other process ended with ${code}`)));
  });
  // Awaited below; until then a failure only ends the rounds.
  told.catch(() => {});
  const pruner = await Workspace.open({ directory });
  let pruned = 0;
  for (let round = 0; round < ROUNDS && neighbour.connected; ) {
    const { goes } = pruner.isProtected ? await prune(pruner) : { goes: [] };
    pruned += goes.length;
    if (goes.length > 0) {
      round++;
      if (round % 4 === 0) await collectGarbage(pruner);
    } else await sleep(5);
  }
  if (neighbour.connected) neighbour.send('end');
  const { truth, done } = await told;
  console.log(`${pruned} records pruned in ${ROUNDS} rounds beside ${JSON.stringify(done)}`);
  expect(pruned).toBeGreaterThan(ROUNDS);
  expect(Math.min(done.rewinds ?? 0, done.exports ?? 0)).toBeGreaterThan(0);

  await collectGarbage(pruner, { now: true });
  expect(fsck(pruner.storePath)).toEqual({ code: 0, alarms: [] });
  expect(await checkStore(pruner, { full: true })).toMatchObject({ damage: [], affected: [] });
  const left = pruner.index.list().filter(({ operation }) => truth[operation.id] !== undefined);
  expect(left.length).toBeGreaterThan(0);
  for (const { operation } of left) {
    const blob = storedEntries(pruner.storePath, operation.id).get('file')?.id as never;
    expect(pruner.store.objects.readBlob(blob).toString()).toBe(truth[operation.id]);
  }
  pruner.close();

  vi.stubEnv('RETAKE_HOME', join(at, 'elsewhere'));
  const elsewhere = await Workspace.open({ directory: temporaryDirectory() });
  const { isKnown, checkpoints } = await importSession(elsewhere, { file: 'last.tar', directory: exports });
  expect(isKnown).toBe(false);
  expect(checkpoints).toBeGreaterThan(0);
  elsewhere.close();
  vi.unstubAllEnvs();
});
