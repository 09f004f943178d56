import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { forkScene, turn } from '../forks/forked.ts';
import { contents } from '../recover/played.ts';
import { put } from '../support/scene.ts';
import { type Actor, refused, type Stage, stage } from './stage.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const text = (changes: Readonly<Record<number, string>> = {}): string => `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

const read = ({ root }: Stage, path: string): string => readFileSync(join(root, path), 'utf8');
const write = (at: Stage, actor: Actor, path: string, content: string) =>
  actor.step(() => void put(at.root, path, content), { file: path });

/** Each has a prompt, then both change a file that they share and one of their own; the person does too. */
const besideEachOther = async () => {
  const at = await stage((root) => put(root, 'shared', text()));
  const start = at.look();
  const [one, two] = [at.actor('one'), at.actor('two')];
  const first = await one.prompt('for one');
  const second = await two.prompt('for two');
  await write(at, one, 'one', 'one\n');
  await write(at, one, 'shared', text({ 0: 'ONE' }));
  await write(at, two, 'two', 'two\n');
  await write(at, two, 'shared', text({ 0: 'ONE', 6: 'TWO' }));
  put(at.root, 'mine', 'mine\n');
  return { at, start, one, two, first: first.id, second: second.id };
};

describe('two sessions in one workspace', () => {
  test('[RST-11] each goes back without the other, which is named with the paths; undo is exact', async () => {
    const { at, first, second } = await besideEachOther();
    const now = at.look();
    for (const [target, gone, shared, other] of [
      [first, 'one', text({ 6: 'TWO' }), 'two'],
      [second, 'two', text({ 0: 'ONE' }), 'one'],
    ] as const) {
      const { plan } = await at.rewind(target);
      const files = [...at.look().keys()];
      expect(files).toEqual([other, 'shared'].sort());
      expect(read(at, 'shared')).toBe(shared);
      const said = plan.warnings.join('\n');
      const paths = [other, 'shared'].sort().join(', ');
      expect(said).toContain(`session ${other} worked here at the same time: what it did stays (${paths})`);
      expect(said).toContain('shared was changed by sessions one and two');
      expect(said).not.toContain(`${gone} was changed by sessions`);
      expect(said).toContain("mine was changed by other hands than the agent's");
      await at.undo();
      expect(at.look()).toEqual(now);
    }
  });

  test("[RST-10] [RST-11] --keep-mine keeps the person's too, --all-sessions takes all", async () => {
    const { at, start, first } = await besideEachOther();
    await at.rewind(first, { keepMine: true });
    expect([...at.look().keys()]).toEqual(['mine', 'shared', 'two']);
    expect(read(at, 'shared')).toBe(text({ 6: 'TWO' }));
    await at.undo();
    await at.rewind(first, { keepMine: true, allSessions: true });
    expect([...at.look().keys()]).toEqual(['mine', 'shared']);
    expect(read(at, 'shared')).toBe(text());
    await at.undo();
    await at.rewind(first, { allSessions: true });
    expect(at.look()).toEqual(start);
  });

  test('[RST-11] what steps of both can have done, because they overlapped, goes back with either', async () => {
    const at = await stage((root) => put(root, 'shared', text()));
    const [one, two] = [at.actor('one'), at.actor('two')];
    const targets = [await one.prompt('for one'), await two.prompt('for two')];
    const ends = [await one.begin({ file: 'shared' }), await two.begin({ file: 'shared' })];
    put(at.root, 'shared', text({ 0: 'whose' }));
    for (const end of ends) await end();
    await write(at, one, 'one', 'one\n');
    await write(at, two, 'two', 'two\n');
    for (const [target, left] of targets.map(({ id }, at) => [id, ['two', 'one'][at]] as const)) {
      await at.rewind(target);
      expect(read(at, 'shared')).toBe(text());
      expect([...at.look().keys()]).toEqual([left, 'shared'].sort());
      await at.undo();
    }
  });

  test('[RST-9] [RST-11] where both changed the same lines nothing is written until it is chosen', async () => {
    const { at, two, first } = await besideEachOther();
    await write(at, two, 'shared', text({ 0: 'ONE and two', 6: 'TWO' }));
    const now = at.look();
    expect(await refused(at.rewind(first))).toEqual({ code: 'conflicts', conflicts: ['shared both-changed'] });
    expect(at.look()).toEqual(now);
    await at.rewind(first, { choice: { choices: [], rest: 'ours' } });
    expect([...at.look().keys()]).toEqual(['shared', 'two']);
    expect(read(at, 'shared')).toBe(text({ 0: 'ONE and two', 6: 'TWO' }));
  });

  test("[RST-11] what was reverted of the other session does not come back with a rewind of one's own", async () => {
    const { at, two, first, second } = await besideEachOther();
    await at.revert(second, null, two.id);
    expect([...at.look().keys()]).toEqual(['mine', 'one', 'shared']);
    await at.rewind(first);
    expect([...at.look().keys()]).toEqual(['shared']);
    expect(read(at, 'shared')).toBe(text());
    await at.undo();
    await at.rewind(first, { keepMine: true });
    expect([...at.look().keys()]).toEqual(['mine', 'shared']);
    expect(read(at, 'shared')).toBe(text());
  });

  test.each([
    { call: { file: 'more' }, stays: ['more', 'shared', 'two'] },
    { call: {}, stays: ['also', 'more', 'shared', 'two'] },
  ])('[RST-11] what the other session may be doing right now stays: $stays', async ({ call, stays }) => {
    const { at, two, first } = await besideEachOther();
    await two.begin(call);
    put(at.root, 'more', 'under way\n');
    put(at.root, 'also', 'mine, or not\n');
    await at.rewind(first);
    expect([...at.look().keys()]).toEqual(stays);
  });

  test('[RST-11] a session that began when the other had ended is not beside it: going back before it is exact', async () => {
    const at = await stage((root) => put(root, 'shared', text()));
    const start = at.look();
    const [one, two] = [at.actor('one'), at.actor('two')];
    await one.start();
    const { id } = await one.prompt('for one');
    await write(at, one, 'one', 'one\n');
    await one.end();
    await two.start();
    const later = await two.prompt('for two');
    await write(at, two, 'shared', text({ 3: 'TWO' }));
    const now = at.look();
    const { plan } = await at.rewind(id);
    expect(at.look()).toEqual(start);
    expect(plan.warnings.join()).not.toContain('at the same time');
    await at.undo();
    expect(at.look()).toEqual(now);
    // The other way round there is only its own to take back.
    await at.rewind(later.id);
    expect(read(at, 'shared')).toBe(text());
    expect(read(at, 'one')).toBe('one\n');
  });

  test('[RST-11] one that ended and was gone on with later is beside what was done meanwhile', async () => {
    const at = await stage((root) => put(root, 'shared', text()));
    const [one, two] = [at.actor('one'), at.actor('two')];
    const { id } = await one.prompt('for one');
    await one.end();
    await two.prompt('for two');
    await write(at, two, 'two', 'two\n');
    await one.prompt('again');
    await write(at, one, 'one', 'one\n');
    await at.rewind(id);
    expect([...at.look().keys()]).toEqual(['shared', 'two']);
  });

  test('[RST-11] a session that came of rewinding the conversation is no other one: a rewind is exact', async () => {
    const at = forkScene();
    put(at.workspace, 'a.txt', 'start\n');
    const session = new PlayedSession(at);
    await session.start();
    await turn(at, session, 'first', { 'a.txt': 'first\n' });
    await turn(at, session, 'second', { 'b.txt': 'second\n' });
    const { sessionId } = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
    expect(sessionId).not.toBe(session.id);
    const next = new PlayedSession(at, sessionId);
    await next.start();
    await turn(at, next, 'third', { 'c.txt': 'third\n' });
    const beginning = ['rewind', 't1', '--session', session.id];
    expect(at.retake.json(at.workspace, ...beginning, '--dry-run').warnings.join()).not.toContain('at the same time');
    at.retake.json(at.workspace, ...beginning, '--yes');
    expect(contents(at, 'a.txt', 'b.txt', 'c.txt')).toEqual(['start\n', undefined, undefined]);
  });
});
