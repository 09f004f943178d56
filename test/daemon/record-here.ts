import { expect } from 'vitest';
import { WorkspacePool } from '../../src/daemon/workspace-pool.ts';
import { passedOn } from '../../src/host/background.ts';
import type { Scene } from '../support/scene.ts';

/** Events come one by one, as they do to a process. */
let turn: Promise<void> = Promise.resolve();

/**
 * Records an agent's event as a hook has it recorded where no daemon may run, which hears nothing back; but in this process. The two
 * that a hook takes are most of the time of a test with a long session, and have tests of their own.
 */
export const recordHere = (at: Scene, payload: string): Promise<void> => {
  const recording = turn.then(() => inSurroundings(passedOn(at.retake.env), () => record(payload)));
  turn = recording.catch(() => {});
  return recording;
};

const record = async (payload: string): Promise<void> => {
  const pool = new WorkspacePool(() => {}, 'once');
  try {
    const event = { agent: 'claude-code', payload, at: new Date().toISOString() };
    expect(await pool.record(event, { ms: 0 })).toEqual({ output: '' });
  } finally {
    await pool.close();
  }
};

const inSurroundings = async (env: NodeJS.ProcessEnv, work: () => Promise<void>): Promise<void> => {
  const before = { ...process.env };
  exchangeEnvironment(env);
  try {
    await work();
  } finally {
    exchangeEnvironment(before);
  }
};

const exchangeEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
};
