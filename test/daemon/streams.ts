import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { fsck } from '../support/private-store.ts';
import type { Scene } from '../support/scene.ts';
import { contentsAt, operationsIn } from './claude-code.ts';
import { DIST } from './support.ts';

export interface Stream {
  readonly session: string;
  /** How each event went, as far as it got. */
  readonly said: string[];
  readonly ended: Promise<number | null>;
}

/** Starts `streamer.ts`. */
export const startStream = ({ workspace, retake }: Scene, session: string, events: number): Stream => {
  const args = [join(import.meta.dirname, 'streamer.ts'), workspace, session, String(events), join(DIST, 'daemon.js')];
  const child = spawn(process.execPath, args, { env: retake.env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.split('\n').filter((line) => line !== '')));
  return { session, said, ended: new Promise((resolve) => child.on('close', resolve)) };
};

export interface Expected {
  readonly kind: 'after-step' | 'prompt';
  readonly sessions: readonly string[];
  readonly events: number;
}

/** Each session's events are there once, in order, and each holds the session's file as it was when the event came. */
export const expectAllOnce = ({ workspace, retake }: Scene, { kind, sessions, events }: Expected): void => {
  const store = retake.store(workspace);
  const operations = operationsIn(store);
  expect(operations.map(({ sequence }) => sequence)).toEqual(operations.map((_, index) => index + 1));
  const wanted = operations.filter((operation) => operation.kind === kind);
  expect(wanted).toHaveLength(sessions.length * events);
  const found = contentsAt(
    store,
    wanted.map(({ id, session }) => ({ id, path: session })),
  );
  const numbers = Array.from({ length: events }, (_, index) => `${index + 1}`);
  for (const session of sessions) {
    const own = wanted.map((operation, index) => ({ ...operation, content: found[index] })).filter((one) => one.session === session);
    expect(own.map(({ description }) => description)).toEqual(numbers.map((number) => `Step${number}`));
    expect(own.map(({ content }) => content)).toEqual(numbers);
    expect(new Set(own.map(({ event }) => event?.key)).size).toBe(events);
  }
  expect(fsck(store)).toEqual({ code: 0, alarms: [] });
  // The index, made from the log and never the other way round, says the same.
  expect(retake.json(workspace, 'log').operations.map(({ id }: { id: string }) => id)).toEqual(operations.map(({ id }) => id).reverse());
};
