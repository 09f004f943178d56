import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setPinned, Workspace } from '../../src/engine/index.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { expectJsonRefusal, expectRefusal } from '../support/refusal.ts';
import { put, type Scene, scene } from '../support/scene.ts';

const recorded = (): Scene & { id: string } => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'one');
  put(at.workspace, 'file', '2');
  return { ...at, id };
};

const VERBS: Record<string, (address: string) => string[]> = {
  show: (address) => ['show', address],
  rewind: (address) => ['rewind', address, '--yes'],
  diff: (address) => ['diff', address],
  undo: (address) => ['undo', address, '--yes'],
  note: (address) => ['note', address, 'text'],
  pin: (address) => ['pin', address],
  delete: (address) => ['delete', address],
};

test('[CKP-6] an unknown id is refused by every verb, nothing changed', () => {
  const at = recorded();
  const before = observeWorkspace(at.workspace, { mtimes: true });
  for (const line of Object.values(VERBS)) {
    expectRefusal((...args) => at.retake.run(at.workspace, ...args), line('ffffffffff'), 'unknown-id');
    expectJsonRefusal(at.retake.run(at.workspace, ...line('no such name'), '--json'), 'unknown-id', 1);
    expectJsonRefusal(at.retake.run(at.workspace, ...line('@-9'), '--json'), 'unknown-id', 1);
  }
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

const NONSENSE = [
  '',
  ' ',
  '@',
  '@-0',
  '@--1',
  '@-99999999999999999999',
  '../../etc/passwd',
  '__proto__',
  "'; DROP TABLE operations; --",
  '%',
  'abc',
  '0'.repeat(41),
  'HEAD',
  '-',
];

test('[REL-6] addresses that make no sense are refused', () => {
  const at = recorded();
  for (const address of NONSENSE) {
    const run = at.retake.run(at.workspace, 'show', '--json', '--', address);
    expect(run.json.error?.code, address).toMatch(/^(unknown-id|usage)$/);
    expect(run.code, address).toBe(run.json.error.code === 'usage' ? 2 : 1);
  }
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[CKP-6] counting begins with the newest, and whoever begins before it is told so', () => {
  const at = recorded();
  const { message, hint } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['rewind', '@-0', '--yes'], 'unknown-id');
  expect(message).toBe('There is no checkpoint @-0: the newest is @-1');
  expect(hint).toContain('@-1 is the newest');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
});

test('[CKP-6] an id, its prefix in any case, a name and @-1 all find the checkpoint', () => {
  const at = recorded();
  for (const address of [at.id, at.id.slice(0, 4), at.id.slice(0, 10).toUpperCase(), 'one', '@-1']) {
    expect(at.retake.json(at.workspace, 'show', address).id).toBe(at.id);
  }
});

test('[CKP-6] a name stands for no turn, and for no other checkpoint than its own', () => {
  const at = recorded();
  const run = (...args: string[]) => at.retake.run(at.workspace, ...args);
  expect(expectRefusal(run, ['checkpoint', '--name', 't3'], 'usage', 2).message).toContain('t3');
  const printed = at.id.slice(0, 10);
  const other = at.retake.json(at.workspace, 'checkpoint', '--name', printed).id;
  const { message } = expectRefusal(run, ['rewind', printed, '--yes'], 'ambiguous-id');
  for (const id of [at.id, other]) expect(message).toContain(id.slice(0, 4));
  for (const address of [at.id.slice(0, 11), at.id]) expect(at.retake.json(at.workspace, 'show', address).id).toBe(at.id);
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
});

test('[CKP-6] a name that two checkpoints share is ambiguous', () => {
  const at = recorded();
  const second = at.retake.json(at.workspace, 'checkpoint', '--name', 'one').id;
  const error = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['rewind', 'one', '--yes'], 'ambiguous-id');
  for (const id of [at.id, second]) expect(error.message).toContain(id.slice(0, 10));
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
});

test('[CKP-6] a prefix that two operations share is ambiguous, and one digit more may tell them apart', async () => {
  const at = recorded();
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  const workspace = await Workspace.open({ directory: at.workspace });
  // Some three hundred operations share four digits with one another more likely than not; go on until two do.
  const seen = new Map<string, string>([[at.id.slice(0, 4), at.id]]);
  let pair: [string, string] | undefined;
  for (let i = 0; pair === undefined; i++) {
    await setPinned(workspace, at.id, i % 2 === 0);
    const id = workspace.index.list({ limit: 1 })[0]?.operation.id ?? '';
    const twin = seen.get(id.slice(0, 4));
    if (twin !== undefined) pair = [twin, id];
    seen.set(id.slice(0, 4), id);
  }
  workspace.close();
  const [one, two] = pair;
  const error = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['show', one.slice(0, 4)], 'ambiguous-id');
  for (const id of pair) expect(error.message).toContain(id.slice(0, 10));
  let digits = 4;
  while (one.slice(0, digits) === two.slice(0, digits)) digits++;
  expect(at.retake.json(at.workspace, 'show', one.slice(0, digits)).id).toBe(one);
});

test('[CKP-6] rewinding to something that is no checkpoint says what it is', () => {
  const at = recorded();
  const { rollbackId } = at.retake.json(at.workspace, 'rewind', at.id, '--yes');
  const { hint } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['rewind', rollbackId, '--yes'], 'not-a-checkpoint');
  expect(hint).toContain('retake undo');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['undo', at.id, '--yes'], 'nothing-to-undo');
});

test('[CLI] asking where nothing is recorded makes nothing on disk', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  for (const line of Object.values(VERBS)) expectJsonRefusal(at.retake.run(at.workspace, ...line('abcdef'), '--json'), 'unknown-id', 1);
  for (const verb of ['log', 'status', 'rollbacks', 'check', 'gc', 'rebuild']) expect(at.retake.run(at.workspace, verb).code).toBe(0);
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['undo', '--yes'], 'nothing-to-undo');
  expect(existsSync(at.retake.home)).toBe(false);
});
