import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../api/served.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { recordHere } from '../daemon/record-here.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { PlayedSession } from './played-session.ts';

interface Logged {
  readonly id: string;
  readonly kind: string;
  readonly turn: number | null;
  readonly description: string;
}

const log = ({ retake, workspace }: Scene): Logged[] => retake.json(workspace, 'log', '--limit', '1000').operations.reverse();

/** Prompts and steps with their turns, as the log tells them. */
const drawn = (at: Scene): string[] =>
  log(at)
    .filter(({ kind }) => kind === 'prompt' || kind === 'after-step')
    .map(({ turn, description }) => `${turn} ${description}`);

const step = (at: Scene, session: PlayedSession, file: string): Promise<void> =>
  session.step('Bash', { command: `make ${file}` }, () => put(at.workspace, file, file));

/** Every face tells the same turns: the log, `t3`, the HTTP interface, and the tree of forks. */
const expectTurns = async (at: Scene, session: PlayedSession, titles: readonly string[]): Promise<void> => {
  const numbered = titles.map((title, index) => `${index + 1} ${title}`);
  const { retake, workspace } = at;
  expect(numbered.map((_, index) => `${index + 1} ${retake.json(workspace, 'show', `t${index + 1}`).description}`)).toEqual(numbered);
  expect(retake.run(workspace, 'show', `t${titles.length + 1}`, '--json').code).toBe(1);
  const { turns } = await serve(at).ask('listTurns', { params: { session: session.id } });
  expect(turns.toReversed().map(({ number, title }) => `${number} ${title}`)).toEqual(numbered);
  const prompts = log(at).filter(({ kind, turn }) => kind === 'prompt' && turn !== null);
  for (const { number, checkpoint } of turns) expect(prompts.find(({ id }) => id === checkpoint)?.turn).toBe(number);
  expect(retake.json(workspace, 'forks').tree.map((branch: { turns: number }) => branch.turns)).toEqual([titles.length]);
};

test('[CKP-6] a prompt that waited until the agent was done begins a turn, before whose first step it goes back', async () => {
  const at = scene();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('first');
  await step(at, session, 'one');
  await session.queue('typed meanwhile');
  await session.answer('done');
  session.dequeue('typed meanwhile');
  await step(at, session, 'two');
  await session.answer('done too');
  await session.prompt('third');
  await step(at, session, 'three');
  expect(drawn(at)).toEqual([
    '1 first',
    '1 Bash: make one',
    'null typed meanwhile',
    '2 typed meanwhile',
    '2 Bash: make two',
    '3 third',
    '3 Bash: make three',
  ]);
  await expectTurns(at, session, ['first', 'typed meanwhile', 'third']);
  at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  expect(['one', 'two', 'three'].map((file) => existsSync(join(at.workspace, file)))).toEqual([true, false, false]);
});

test('[CKP-6] several that waited are sent at once, and each begins a turn', async () => {
  const at = scene();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('first');
  await session.queue('second');
  await session.queue('third');
  await session.answer('done');
  session.dequeue('second');
  session.dequeue('third');
  await session.answer('both done');
  await session.prompt('fourth');
  await expectTurns(at, session, ['first', 'second', 'third', 'fourth']);
});

test('[CKP-6] a prompt that the agent is told of between two steps begins no turn, whatever comes after', async () => {
  const at = scene();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('first');
  const end = await session.begin('Bash', { command: 'make one' });
  await session.queue('by the way');
  put(at.workspace, 'one', 'one');
  await end();
  session.inject('by the way');
  await session.answer('done');
  await session.shell('make mine', () => put(at.workspace, 'mine', 'mine'));
  await session.prompt('second');
  expect(drawn(at)).toEqual(['1 first', '1 by the way', '1 Bash: make one', '2 second']);
  await expectTurns(at, session, ['first', 'second']);
});

test('[CKP-6] a command that the model answers is a turn; one that the client answers and a refused prompt are none', async () => {
  const at = scene();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('first');
  await session.answer('done');
  await session.command('hello');
  await step(at, session, 'hello');
  await session.answer('done');
  await session.localCommand('compact');
  await session.refused('/back t1');
  await session.prompt('second');
  await step(at, session, 'two');
  expect(drawn(at)).toEqual([
    '1 first',
    '2 /hello',
    '2 Bash: make hello',
    'null /compact',
    'null /back t1',
    '3 second',
    '3 Bash: make two',
  ]);
  await expectTurns(at, session, ['first', '/hello', 'second']);
});

test('[CKP-6] without the session file the events alone tell the turns', async () => {
  const at = scene();
  const talk = new Conversation('s', at.workspace);
  const turnOf = (id: string) => ({ prompt_id: id });
  await recordHere(at, talk.start());
  await recordHere(at, talk.prompt('p1', 'first'));
  await recordHere(at, talk.prompt('p1', 'typed meanwhile'));
  await recordHere(at, talk.say('Stop', turnOf('p1')));
  await recordHere(at, talk.before('1', 'Bash', { command: 'two' }, turnOf('p2')));
  put(at.workspace, 'two', 'two');
  await recordHere(at, talk.after('1', 'Bash', { command: 'two' }, turnOf('p2')));
  await recordHere(at, talk.prompt('p3', '/clear'));
  await recordHere(at, talk.prompt('p4', 'third'));
  expect(drawn(at)).toEqual(['1 first', 'null typed meanwhile', '2 typed meanwhile', '2 Bash: two', 'null /clear', '3 third']);
  expect([1, 2, 3].map((turn) => at.retake.json(at.workspace, 'show', `t${turn}`).description)).toEqual([
    'first',
    'typed meanwhile',
    'third',
  ]);
});
