import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { allVerbs, wholeProgram } from '../support/program.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';

/** What each verb that takes `--session` needs besides, to get as far as looking for it. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  log: ['log'],
  show: ['show', 't2'],
  diff: ['diff', 't1', 't2'],
  blame: ['blame', 'file', '--at', 't2'],
  rewind: ['rewind', 't2', '--dry-run'],
  discard: ['discard', '--dry-run'],
  revert: ['revert', 't1', '--dry-run'],
  recover: ['recover', 't1', '--dry-run'],
  keep: ['keep', '--dry-run'],
  reflog: ['reflog'],
  rollbacks: ['rollbacks'],
  branch: ['branch', 't2'],
  fork: ['fork', 't2'],
  summarize: ['summarize', 't2', '--from'],
};

/** They make something new each time, which says where it came from. */
const MAKING = new Set(['branch', 'fork', 'summarize']);

/** Two sessions, the first of them with two turns that changed a file. */
const played = async (): Promise<Scene & { readonly session: PlayedSession }> => {
  const at = repositoryScene();
  put(at.workspace, 'file', 'first\n');
  commitAll(at.workspace);
  const session = new PlayedSession(at);
  await session.start();
  for (const turn of [1, 2]) {
    await session.prompt(`do the work ${turn}`);
    await session.step('Write', { file_path: join(at.workspace, 'file') }, () => put(at.workspace, 'file', `line of ${turn}\n`));
    await session.answer(`did ${turn}`);
  }
  const other = new PlayedSession(at);
  await other.start();
  await other.prompt('look around');
  await other.answer('looked');
  return { ...at, session };
};

test('[CKP-6] every verb that takes a session is tried here', async () => {
  const taking = allVerbs(await wholeProgram()).filter(({ options }) => options.some(({ long }) => long === '--session'));
  // A checkpoint may be the first of its session.
  expect(taking.map((command) => command.name()).filter((name) => name !== 'checkpoint')).toEqual(
    expect.arrayContaining(Object.keys(LINES)),
  );
  expect(taking).toHaveLength(Object.keys(LINES).length + 1);
});

/** Without the time that a plan counts from now. */
const lasting = ({ undoableUntil: _, ...rest }: Record<string, unknown>) => rest;

test('[CKP-6] every one of them takes the first characters of a session, and refuses what is none', async () => {
  const { workspace, retake, session } = await played();
  const run = (...args: string[]) => retake.run(workspace, ...args);
  for (const [verb, line] of Object.entries(LINES)) {
    for (const none of ['nobody', '']) {
      const { code, json } = run(...line, '--session', none, '--json');
      expect([code, json.error.code, json.error.message], verb).toEqual([1, 'unknown-id', `There is no session "${none}" here`]);
    }
    const short = run(...line, '--session', session.id.slice(0, 8), '--json');
    expect(short, verb).toMatchObject({ code: 0, stderr: '' });
    if (!MAKING.has(verb)) expect(lasting(short.json), verb).toEqual(lasting(run(...line, '--session', session.id, '--json').json));
  }
});

test('[CKP-6] what was recorded by hand is a session too, and a checkpoint may begin one', () => {
  const { workspace, retake } = repositoryScene();
  put(workspace, 'file', 'by hand\n');
  const { id } = retake.json(workspace, 'checkpoint');
  put(workspace, 'file', 'again\n');
  const begun = retake.json(workspace, 'checkpoint', '--session', 'begun-here');
  expect(retake.json(workspace, 'log', '--session', 'local').operations).toMatchObject([{ id }]);
  expect(retake.json(workspace, 'log', '--session', 'begun').operations).toMatchObject([{ id: begun.id, session: 'begun-here' }]);
});
