import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SessionWork, Workspace, workOf } from '../../src/engine/index.ts';
import type { SessionId } from '../../src/model/index.ts';
import { put, type Scene } from '../support/scene.ts';
import { type Played, played, stepsOf, write } from './played.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** As the engine tells it to whoever builds on it. */
const workIn = async ({ workspace: directory, retake }: Scene, session?: string): Promise<SessionWork> => {
  for (const [name, value] of Object.entries(retake.env)) vi.stubEnv(name, value);
  const workspace = await Workspace.open({ directory });
  try {
    return workOf(workspace, session as SessionId | undefined);
  } finally {
    workspace.close();
  }
};

/** Two turns, with an edit of the person between them. */
const twoTurns = async (): Promise<Played> => {
  const it = await played({ 'a.txt': 'a\n' });
  await it.session.prompt('change a\nand tell me why');
  await write(it, 'a.txt', 'first\n');
  await it.session.step('Bash', { command: 'make b' }, () => put(it.at.workspace, 'b.txt', 'b\n'));
  await it.session.answer('because');
  put(it.at.workspace, 'own.txt', 'own\n');
  await it.session.prompt('once more');
  await write(it, 'a.txt', 'second\n');
  return it;
};

describe('workOf', () => {
  test('[GIT-3] the whole prompt of each turn, its steps with their tools, and the state at the start', async () => {
    const it = await twoTurns();
    const work = await workIn(it.at);
    const recorded = stepsOf(it.at).map(({ id }) => id);
    expect(work).toMatchObject({ session: it.session.id, agent: 'claude-code', start: { kind: 'session-start' } });
    expect(work.turns.map(({ turn, prompt }) => [turn, prompt?.text])).toEqual([
      [1, 'change a\nand tell me why'],
      [2, 'once more'],
    ]);
    expect(work.turns.flatMap(({ steps }) => steps.map(({ checkpoint }) => checkpoint))).toEqual(recorded);
    expect(work.turns.flatMap(({ steps }) => steps.map(({ tool }) => tool))).toEqual(['Write', 'Bash', 'Write']);
    const [first, second] = work.turns;
    expect(first?.start).toEqual(work.start.state);
    // What the person did in between is neither the end of the one turn nor a step of the other.
    expect(second?.start).not.toEqual(first?.end);
    expect(second?.steps[0]?.before).toEqual(second?.start);
  });

  test('[GIT-4] only what is in force', async () => {
    const { at, session } = await twoTurns();
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    expect((await workIn(at, session.id)).turns.map(({ turn }) => turn)).toEqual([1]);
    at.retake.json(at.workspace, 'recover', 't2', '--yes');
    expect((await workIn(at, session.id)).turns.map(({ turn }) => turn)).toEqual([1, 2]);
    at.retake.json(at.workspace, 'discard', '--yes');
    expect((await workIn(at, session.id)).turns).toEqual([]);
  });
});
