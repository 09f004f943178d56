import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LineHistory } from '../../src/diff/text/index.ts';
import type { ByteString } from '../../src/model/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { played, refusal, stepsOf, write } from '../recover/played.ts';
import { put, type Scene, scene } from '../support/scene.ts';

/** Each line as `text < writer`; steps by their turn, and by the subagent where there is one. */
const blamed = (at: Scene, file: string, ...more: string[]): string[] => {
  const { lines } = at.retake.json(at.workspace, 'blame', file, ...more);
  type Step = { turn: number; agentType: string | null };
  return lines.map(({ text, by, steps }: { text: string; by: string; steps: Step[] }) => {
    const who = steps.map(({ turn, agentType }) => `t${turn}${agentType === null ? '' : ` ${agentType}`}`).join(' and ');
    return `${text} < ${who === '' ? by : who}`;
  });
};

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

/** Two turns, a subagent in the second, and the person in between, all in one file. */
const shared = async () => {
  const it = await played({ 'a.txt': lines('one', 'two', 'three', 'four') });
  await it.session.prompt('first\nwith more to say');
  await write(it, 'a.txt', lines('ONE', 'two', 'three', 'four'));
  put(it.at.workspace, 'a.txt', lines('ONE', 'two', 'mine', 'four'));
  await it.session.prompt('second');
  await write(it, 'a.txt', lines('ONE', 'two', 'mine', 'four', 'five', 'six'));
  await write(it, 'a.txt', lines('ONE', 'two', 'mine', 'four', 'five', 'SIX'), { agent_id: 'a17', agent_type: 'Explore' });
  return it;
};

const SHARED = ['ONE < t1', 'two < before', 'mine < person', 'four < before', 'five < t2', 'SIX < t2 Explore'];

describe('blame', () => {
  test('[RST-8] two turns, a subagent and the person in one file, now and at a checkpoint', async () => {
    const { at, session } = await shared();
    put(at.workspace, 'a.txt', lines('ONE', 'two', 'mine', 'four', 'five', 'SIX', 'just now'));
    expect(blamed(at, 'a.txt')).toEqual([...SHARED, 'just now < person']);
    expect(blamed(at, 'a.txt', '--at', 't2')).toEqual(['ONE < t1', 'two < before', 'mine < person', 'four < before']);
    const { path, lines: told } = at.retake.json(at.workspace, 'blame', join(at.workspace, 'a.txt'));
    const [first] = stepsOf(at);
    expect(path).toBe('a.txt');
    expect(told[0]).toMatchObject({
      line: 1,
      text: 'ONE',
      by: 'agent',
      record: first.id,
      steps: [{ id: first.id, tool: 'Write', turn: 1, prompt: 'first', session: session.id, agent: 'claude-code', agentId: null }],
    });
    expect(told[5].steps).toMatchObject([{ agentId: 'a17', agentType: 'Explore', prompt: 'second', createdAt: expect.any(String) }]);
    expect(told[6]).toMatchObject({ steps: [], record: null, createdAt: null });
    const { stdout } = at.retake.run(at.workspace, 'blame', 'a.txt');
    expect(stdout).toMatch(/before Retake .*2 {2}two\n/);
    expect(stdout).toMatch(/ you .*3 {2}mine\n/);
    expect(stdout).toContain('“second”');
  });

  test('[RST-8] what a rewind, an undo, a revert and a recovery bring back is whose it was', async () => {
    const { at } = await shared();
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    expect(blamed(at, 'a.txt')).toEqual(SHARED.slice(0, 4));
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(blamed(at, 'a.txt')).toEqual(SHARED);
    at.retake.json(at.workspace, 'revert', 't1', '--yes');
    expect(blamed(at, 'a.txt')).toEqual(['one < before', ...SHARED.slice(1)]);
    put(at.workspace, 'a.txt', lines('top', 'one', 'two', 'mine', 'four', 'five', 'SIX'));
    at.retake.json(at.workspace, 'recover', 't1', '--on-conflict', 'manual', '--yes');
    expect(blamed(at, 'a.txt')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^<<<<<<< .* < retake$/), 'ONE < t1', 'top < person', ...SHARED.slice(1)]),
    );
    at.retake.json(at.workspace, 'recover', '--abort', '--yes');
    expect(blamed(at, 'a.txt')).toEqual(['top < person', 'one < before', ...SHARED.slice(1)]);
  });

  test('[RST-8] line ends, a last line without one, an empty file, and bytes that are no text', async () => {
    const it = await played({ 'crlf.txt': 'one\r\ntwo\r\n', 'open.txt': 'one', 'empty.txt': '', 'latin.txt': 'a\n' });
    const { at, session } = it;
    await session.prompt('first');
    await write(it, 'crlf.txt', 'one\r\nTWO\r\n');
    await write(it, 'open.txt', 'one\ntwo');
    put(at.workspace, 'latin.txt', Buffer.from('a\n\xe9\n', 'latin1'));
    expect(blamed(at, 'crlf.txt')).toEqual(['one\r < before', 'TWO\r < t1']);
    expect(at.retake.run(at.workspace, 'blame', 'crlf.txt').stdout).toMatch(/2 {2}TWO\n/);
    expect(blamed(at, 'open.txt')).toEqual(['one < before', 'two < t1']);
    expect(blamed(at, 'empty.txt')).toEqual([]);
    const { lines: latin } = at.retake.json(at.workspace, 'blame', 'latin.txt');
    expect(latin[1]).toMatchObject({ text: '\ufffd', textBase64: '6Q==', by: 'person' });
  });

  test('[RST-8] a file that was moved keeps its writers; steps that overlapped and can both have done it are both told', async () => {
    const it = await played({ 'old.txt': lines('one', 'two') });
    const { at, session } = it;
    await session.prompt('first');
    await write(it, 'old.txt', lines('one', 'TWO'));
    await session.step('Bash', { command: 'mv' }, () => {
      mkdirSync(join(at.workspace, 'deep'));
      renameSync(join(at.workspace, 'old.txt'), join(at.workspace, 'deep/new.txt'));
    });
    await session.step('Bash', { command: 'git mv deep/new.txt other.txt; echo more >>other.txt' }, () => {
      renameSync(join(at.workspace, 'deep/new.txt'), join(at.workspace, 'other.txt'));
      put(at.workspace, 'other.txt', lines('one', 'TWO', 'more'));
    });
    expect(blamed(at, 'other.txt')).toEqual(['one < before', 'TWO < t1', 'more < t1']);
    renameSync(join(at.workspace, 'other.txt'), join(at.workspace, 'deep/new.txt'));
    put(at.workspace, 'deep/new.txt', lines('one', 'TWO'));
    await session.prompt('second');
    const [endOfA, endOfB] = [await session.begin('Bash', { command: 'a' }), await session.begin('Bash', { command: 'b' })];
    put(at.workspace, 'deep/new.txt', lines('one', 'TWO', 'three'));
    await endOfA();
    await endOfB();
    expect(blamed(at, 'deep/new.txt')).toEqual(['one < before', 'TWO < t1', 'three < t2 and t2']);
    expect(at.retake.run(at.workspace, 'blame', 'deep/new.txt').stdout).toMatch(/2 steps .*3 {2}three\n/);
    at.retake.json(at.workspace, 'rewind', 't1', '--yes');
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(blamed(at, 'deep/new.txt')).toEqual(['one < before', 'TWO < t1', 'three < t2 and t2']);
  });

  test('[RST-11] lines of two sessions, each with its own turns', async () => {
    const it = await played({ 'a.txt': lines('one') });
    const { at } = it;
    const other = new PlayedSession(at);
    await other.start();
    await it.session.prompt('first');
    await write(it, 'a.txt', lines('one', 'two'));
    await other.prompt('elsewhere');
    await write({ at, session: other }, 'a.txt', lines('one', 'two', 'three'));
    const told = at.retake.json(at.workspace, 'blame', 'a.txt').lines;
    expect(told.slice(1)).toMatchObject([
      { steps: [{ session: it.session.id, turn: 1, prompt: 'first' }] },
      { steps: [{ session: other.id, turn: 1, prompt: 'elsewhere' }] },
    ]);
  });

  test('[CLI] what has no lines, or no writers, is refused', async () => {
    const bare = scene();
    put(bare.workspace, 'a.txt', 'a\n');
    expect(refusal(bare, 'blame', 'a.txt')).toMatchObject({ exit: 1, code: 'unknown-id' });
    const { at } = await played({ '.gitignore': 'ignored.txt\n', 'ignored.txt': 'i\n', 'dir/b.bin': 'a\0b' });
    symlinkSync('dir/b.bin', join(at.workspace, 'link'));
    for (const [file, code, message] of [
      ['nothing.txt', 'no-such-file', 'no file nothing.txt in the workspace'],
      ['ignored.txt', 'no-such-file', 'ignore rules'],
      ['dir', 'not-text', 'directory'],
      ['.', 'not-text', 'directory'],
      ['link', 'not-text', 'link'],
      ['dir/b.bin', 'not-text', 'binary'],
    ] as const) {
      expect(refusal(at, 'blame', file)).toMatchObject({ exit: 1, code, message: expect.stringContaining(message) });
    }
    expect(refusal(at, 'blame', '/etc/passwd')).toMatchObject({ exit: 2, code: 'usage' });
    expect(refusal(at, 'blame', 'link', '--at', '@-1')).toMatchObject({ exit: 1, code: 'no-such-file' });
    expect(refusal(at, 'blame', 'dir/b.bin', '--at', 't9')).toMatchObject({ exit: 1, code: 'unknown-id' });
  });
});

describe('lines through the versions of a text', () => {
  const split = (text: string): ByteString[] => text.split(' ').filter((line) => line !== '') as ByteString[];
  const notes = (history: LineHistory<string>): string => history.lines.map(({ text, note }) => `${text}:${note}`).join(' ');

  test('[RST-8] what was written twice has the writer of the version that is gone back to', () => {
    const history = new LineHistory<string>();
    history.change('ab', 1, split('a b'), 'first');
    history.change('b', 2, split('b'), 'second');
    history.change('ab', 3, split('a b'), 'third');
    history.change('', 4, [], 'fourth');
    history.bringBack('ab', 5, split('a b'), 'plan', 1);
    expect(notes(history)).toBe('a:first b:first');
    history.bringBack('ab', 6, split('a b'), 'plan', 3);
    expect(notes(history)).toBe('a:third b:first');
    history.bringBack('axb', 7, split('a x b'), 'plan', 3);
    expect(notes(history)).toBe('a:third x:plan b:first');
  });

  test('[RST-8] a line that returns in another text is whose it was, and so is one that returned before', () => {
    const history = new LineHistory<string>();
    history.change('1', 1, split('a b c'), 'first');
    history.change('2', 2, split('a B c'), 'second');
    history.bringBack('3', 3, split('a b c d'), 'plan', 1);
    expect(notes(history)).toBe('a:first b:first c:first d:plan');
    history.change('4', 4, split('c d'), 'third');
    history.bringBack('5', 5, split('a B c'), 'plan', 9);
    expect(notes(history)).toBe('a:first B:second c:first');
  });
});
