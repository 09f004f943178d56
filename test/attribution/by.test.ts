import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put } from '../support/scene.ts';
import { type Call, refused, stage } from './stage.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (changes: Readonly<Record<number, string>> = {}): string => `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

/** Two turns of an agent, with its helper in both, on one file; and the person. */
const twoTurns = async () => {
  const at = await stage((root) => put(root, 'f', text()));
  const actor = at.actor('s');
  let now: Record<number, string> = {};
  const change = (line: number, content: string): void => {
    now = { ...now, [line]: content };
    put(at.root, 'f', text(now));
  };
  const step = async (line: number, content: string, call: Call = {}) =>
    (await actor.step(() => change(line, content), call))?.id as string;
  await actor.start();
  const first = (await actor.prompt('first')).id;
  const ids = [await step(0, 'agent 1'), await step(2, 'helper 1', { agentId: 'helper' })];
  change(4, 'mine');
  const second = (await actor.prompt('second')).id;
  ids.push(await step(6, 'agent 2', { file: 'f' }), await step(8, 'helper 2', { agentId: 'helper', file: 'f' }));
  const read = (): string => readFileSync(join(at.root, 'f'), 'utf8');
  return { at, actor, first, second, ids, now, read };
};

const without = (lines: Readonly<Record<number, string>>, ...gone: number[]): string =>
  text(Object.fromEntries(Object.entries(lines).filter(([line]) => !gone.includes(Number(line)))));

describe('rewind --by', () => {
  test('[RST-8] takes back only what an agent, a turn or a step did since; undo is exact', async () => {
    const { at, first, second, ids, now, read } = await twoTurns();
    const cases: [target: string, by: string, gone: number[]][] = [
      [first, 'claude-code', [0, 6]],
      [second, 'claude-code', [6]],
      [first, 'helper', [2, 8]],
      [second, 'helper', [8]],
      [first, 't1', [0, 2]],
      [first, second, [6, 8]],
      [first, ids[1] as string, [2]],
      [second, ids[3] as string, [8]],
    ];
    for (const [target, by, gone] of cases) {
      const { plan } = await at.rewind(target, { by });
      expect(read(), `--by ${by}`).toBe(without(now, ...gone));
      expect(plan.steps.map(({ path }) => path)).toEqual(['f']);
      await at.undo();
      expect(read()).toBe(text(now));
    }
  });

  test('[RST-8] what was done before the target, or by nobody, changes nothing', async () => {
    const { at, second, ids, now, read } = await twoTurns();
    expect((await at.rewind(second, { by: ids[0] })).rollback).toBeNull();
    expect((await at.rewind(second, { by: 't1' })).rollback).toBeNull();
    expect(await refused(at.rewind(second, { by: 'nobody' }))).toMatchObject({ code: 'unknown-id' });
    expect(read()).toBe(text(now));
  });

  test('[RST-8] [RST-9] where another changed the same lines since it is a conflict', async () => {
    const { at, actor, first, now, read } = await twoTurns();
    await actor.step(() => put(at.root, 'f', text({ ...now, 2: 'agent after helper' })));
    expect(await refused(at.rewind(first, { by: 'helper' }))).toEqual({ code: 'conflicts', conflicts: ['f both-changed'] });
    expect(read()).toBe(text({ ...now, 2: 'agent after helper' }));
    await at.rewind(first, { by: 'helper', choice: { choices: [], rest: 'ours' } });
    expect(read()).toBe(without({ ...now, 2: 'agent after helper' }, 8));
  });

  test('[RST-8] steps that were taken back so are recoverable, the others are not', async () => {
    const { at, first, ids, now, read } = await twoTurns();
    await at.rewind(first, { by: 'helper' });
    expect(ids.map((id) => at.stateOf(id))).toEqual(['on-branch', 'recoverable', 'on-branch', 'recoverable']);
    await at.recover(...ids.filter((id) => at.stateOf(id) === 'recoverable'));
    expect(read()).toBe(text(now));
    expect(ids.map((id) => at.stateOf(id))).toEqual(['on-branch', 'recovered', 'on-branch', 'recovered']);
  });
});
