import { expect, test } from 'vitest';
import { put } from '../support/scene.ts';
import { sample } from '../support/tier.ts';
import { Conversation } from './claude-code.ts';
import { expectAllOnce, startStream } from './streams.ts';
import { daemonScene, runHook, SILENT, spooled, startDaemon, status, troubles } from './support.ts';

const sessions = (count: number): string[] => Array.from({ length: count }, (_, number) => `session-${number}`);

const MANY = sample({ sessions: 8, steps: 40 }, { sessions: 24, steps: 200 });
const ALONE = sample({ sessions: 4, steps: 8 }, { sessions: 8, steps: 20 });

test(`[REL-4] ${MANY.sessions} processes with ${MANY.steps} steps each: all are recorded, once, and in order per session`, async () => {
  const at = daemonScene();
  await startDaemon(at);
  const all = sessions(MANY.sessions);
  const streams = all.map((session) => startStream(at, session, MANY.steps));
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(all.map(() => 0));
  expectAllOnce(at, { kind: 'after-step', sessions: all, events: MANY.steps });
  expect((await status(at)).spooled).toBe(0);
  expect(troubles(at)).toEqual([]);
});

test(`[REL-4] the same without the daemon: ${ALONE.sessions} sessions with ${ALONE.steps} hooks each, in processes of their own`, async () => {
  const at = daemonScene({ RETAKE_DAEMON_ENABLED: 'false', RETAKE_HOOK_DEADLINE_MS: '300000' });
  const all = sessions(ALONE.sessions);
  await Promise.all(
    all.map(async (session) => {
      const talk = new Conversation(session, at.workspace);
      for (let number = 1; number <= ALONE.steps; number++) {
        put(at.workspace, session, `${number}`);
        // A prompt is recorded also when another session's event was quicker to record the change.
        expect(await runHook(at, talk.prompt(`${number}`, `Step${number}`))).toEqual(SILENT);
      }
    }),
  );
  expectAllOnce(at, { kind: 'prompt', sessions: all, events: ALONE.steps });
  expect(spooled(at)).toEqual([]);
  expect(troubles(at)).toEqual([]);
});
