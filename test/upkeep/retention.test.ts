import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { planPrune, prune, resolveRewind, rollBack, setNote, setPinned, Workspace } from '../../src/engine/index.ts';
import type { Checkpoint, Recorded, Rollback } from '../../src/model/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { LivedIn } from './lived.ts';

afterEach(() => vi.unstubAllEnvs());

const lived = (settings: Record<string, number> = {}): Promise<LivedIn> => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(`RETAKE_RETENTION_${name}`, String(value));
  return LivedIn.open(temporaryDirectory());
};

const kinds = (records: readonly { readonly kind: string }[]): string[] => records.map(({ kind }) => kind);

describe('[STO-3] what is too old', () => {
  test('goes after its days: steps and turns, then rolled-back work with what undoes it, then forks; what is marked never', async () => {
    const at = await lived();
    const { workspace } = at.stage;
    const before = await at.byHand('before');
    const actor = await at.session('old', [2, 2]);
    const steps = at.of('old').filter(({ kind }) => kind === 'after-step');
    const [pinned, noted, left] = steps as [Recorded<Checkpoint>, Recorded<Checkpoint>, Recorded<Checkpoint>];
    await setPinned(workspace, pinned.id, true);
    await setNote(workspace, noted.id, 'worth a note');
    const fork = at.of('old').find(({ kind }) => kind === 'prompt') as Recorded;
    await at.forkAt(fork);
    const rollback = (await at.stage.rewind(left.previous as string)).rollback as Recorded<Rollback>;
    await at.turn(actor, 1);
    at.pass(20);
    expect((await prune(workspace)).goes).toEqual([]);

    at.pass(11);
    await at.session('new', [1]);
    const { goes } = await prune(workspace);
    expect(new Set(goes.map(({ retentionClass }) => retentionClass))).toEqual(new Set(['step', 'turn']));
    expect(at.has(left) && at.has(rollback) && at.has({ id: rollback.safety }) && at.has({ id: rollback.target })).toBe(true);
    expect(kinds(at.of('new'))).toEqual(['session-start', 'prompt', 'after-step']);
    expect(at.stage.stateOf(left.id)).toBe('recoverable');

    at.pass(150);
    await prune(workspace);
    expect([left, rollback].map((one) => at.has(one))).toEqual([false, false]);
    expect(at.has(fork)).toBe(true);
    at.pass(200);
    await prune(workspace);
    expect(at.has(fork)).toBe(false);
    const rest = at.log.filter(({ operation }) => operation.state !== null).map(({ operation }) => operation.id);
    expect(rest.slice(0, 3)).toEqual([before, pinned.id, noted.id]);
    expect(rest.length).toBe(4);
    await at.stage.rewind(noted.id);
    await at.stage.undo();
  });

  test('stays where something living needs it: the start of a session at work, the newest record, what a rollback came from', async () => {
    const at = await lived();
    const actor = await at.session('long', [1, 1]);
    at.pass(40);
    await at.turn(actor, 1);
    await prune(at.stage.workspace);
    const [first, ...rest] = at.of('long');
    expect(first?.kind).toBe('session-start');
    expect(kinds(rest)).toEqual(['prompt', 'after-step']);
    at.pass(40);
    await prune(at.stage.workspace);
    expect(kinds(at.of('long'))).toEqual(['after-step']);
  });
});

describe('[STO-3] too many, or too much', () => {
  test('steps of old turns go first, then turns; never more than is too many', async () => {
    const at = await lived({ MAX_CHECKPOINTS: 8 });
    await at.byHand('mine');
    const actor = await at.session('s', [2, 2, 2]);
    expect(at.of('s').length).toBe(10);
    const all = at.of('s');
    const { goes } = await prune(at.stage.workspace);
    expect(kinds(goes.map(({ operation }) => operation))).toEqual(['after-step', 'after-step', 'after-step']);
    expect(goes.every(({ why, retentionClass }) => why === 'count' && retentionClass === 'step')).toBe(true);
    expect(all.slice(0, 5).map((one) => at.has(one))).toEqual([true, true, false, false, true]);

    await at.turn(actor, 3);
    await at.turn(actor, 3);
    await prune(at.stage.workspace);
    const left = at.log.filter(({ operation }) => operation.state !== null).map(({ operation }) => operation);
    expect(kinds(left)).toEqual(['manual', 'session-start', 'prompt', 'prompt', 'prompt', 'after-step', 'after-step', 'after-step']);
  });

  test('a store over its bytes is brought below them, and the dry run tells what becomes free', async () => {
    const at = await lived();
    const { workspace } = at.stage;
    const mine = await at.byHand('mine');
    await at.session('s', [20, 20]);
    at.pass(2);
    const { usage } = planPrune(workspace);
    const dry = planPrune(workspace, { allowance: usage.bytes - 5000, weighs: true });
    expect(dry.goes.length).toBeGreaterThan(0);
    expect(dry.frees).toBeGreaterThanOrEqual(5000);
    expect(at.has(dry.goes[0]?.operation as Recorded)).toBe(true);
    expect(planPrune(workspace, { weighs: true }).frees).toBe(0);

    const freed = onlyFrom(
      workspace.storePath,
      dry.goes.map(({ operation }) => operation.id),
    );
    expect(dry.frees).toBe(freed);
    const done = await prune(workspace, { allowance: usage.bytes - 5000 });
    expect(done.goes.map(({ operation }) => operation.id)).toEqual(dry.goes.map(({ operation }) => operation.id));
    expect(at.has({ id: mine })).toBe(true);
    // What has to stay takes more: to give up the rest would not help.
    expect((await prune(workspace, { allowance: 1 })).goes).toEqual([]);
  });
});

test('[STO-3] work of the last day is not given up to make room', async () => {
  const at = await lived();
  await at.byHand('mine');
  await at.session('old', [10]);
  at.pass(3);
  await at.session('new', [10]);
  const { usage } = planPrune(at.stage.workspace);
  const { goes } = await prune(at.stage.workspace, { allowance: usage.bytes - 3000 });
  expect(goes.length).toBeGreaterThan(0);
  expect(goes.every(({ operation }) => operation.session === 'old')).toBe(true);
  expect(at.of('new').length).toBe(12);
});

test('[STO-3] work of the last day is not given up to make room where there is no older', async () => {
  const at = await lived();
  await at.byHand('mine');
  await at.session('new', [10, 1]);
  const { workspace } = at.stage;
  const allowance = planPrune(workspace).usage.bytes - 3000;
  expect(planPrune(workspace, { allowance }).goes).toEqual([]);
  at.pass(2);
  expect(planPrune(workspace, { allowance }).goes.length).toBeGreaterThan(0);
});

test('[STO-3] [RST-7] a prune that was planned before a rollback was recorded gives up nothing that this needs', async () => {
  const at = await lived({ MAX_CHECKPOINTS: 6 });
  const { root, workspace } = at.stage;
  const other = await Workspace.open({ directory: root });
  onTestFinished(() => other.close());
  await at.session('old', [6, 1]);
  const target = at.of('old').find(({ kind }) => kind === 'after-step') as Recorded;
  expect(planPrune(other).goes.map(({ operation }) => operation.id)).toContain(target.id);
  let pruning: ReturnType<typeof prune> | undefined;
  // Planned at once, and carried out when the rollback has given the lock back.
  const onApply = (): void => {
    pruning ??= prune(other);
  };
  const done = await rollBack(workspace, resolveRewind(workspace, target.id), { onApply });
  const [rollback, safety] = [done.rollback as Recorded, done.safety as Recorded];
  expect(await pruning).toBeDefined();
  expect([target, rollback, safety].map((one) => at.has(one))).toEqual([true, true, true]);
  await at.stage.undo();
});

/** What git says that only these operations need, in bytes on disk. */
const onlyFrom = (store: string, ids: readonly string[]): number => {
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['--git-dir', store, ...args], { input, encoding: 'utf8' });
  const all = git(['for-each-ref', '--format=%(objectname)', 'refs/retake/ops']).trim().split('\n');
  const others = all.filter((id) => !ids.includes(id)).map((id) => `^${id}`);
  const listed = git(['rev-list', '--objects', '--no-object-names', '--stdin'], [...ids, ...others].join('\n'));
  const sizes = git(['cat-file', '--batch-check=%(objectsize:disk)'], listed).trim().split('\n');
  // Each tree and blob that the others have too is counted out by git only where it meets them on the same path: ask by object.
  const kept = new Set(
    git(['rev-list', '--objects', '--no-object-names', '--stdin'], all.filter((id) => !ids.includes(id)).join('\n')).split('\n'),
  );
  return listed
    .trim()
    .split('\n')
    .reduce((sum, id, at) => sum + (kept.has(id) ? 0 : Number(sizes[at])), 0);
};
