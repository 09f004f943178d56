import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import { recordEvent, Workspace } from '../../src/engine/index.ts';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Conversation, contentAt, type LoggedCheckpoint, operationsOf } from './claude-code.ts';
import { daemonFile, daemonScene, PATIENT, promptPayload, tell, troubles } from './support.ts';

const brief = ({ kind, description, event }: LoggedCheckpoint): string => `${event?.turn} ${kind}: ${description}`;

/** A session with everything in it that a session can have. */
const playSession = async (at: Scene): Promise<void> => {
  const { workspace } = at;
  const talk = new Conversation('session-1', workspace);
  const cart = { file_path: join(workspace, 'src/cart.ts') };
  put(workspace, 'README.md', 'hello');
  await tell(at, talk.start());
  await tell(at, talk.prompt('prompt-1', '  Add a cart\nwith a total'));
  await tell(at, talk.before('step-1', 'Write', cart));
  put(workspace, 'src/cart.ts', 'one');
  await tell(at, talk.after('step-1', 'Write', cart));
  // Neither before nor after it anything has changed.
  await tell(at, talk.before('step-2', 'Bash', { command: 'ls\npwd' }));
  await tell(at, talk.after('step-2', 'Bash', { command: 'ls\npwd' }));
  // Somebody else edits a file.
  put(workspace, 'README.md', 'by hand');
  await tell(at, talk.before('step-3', 'Edit', cart, { prompt_id: 'prompt-1' }));
  put(workspace, 'src/cart.ts', 'two');
  await tell(at, talk.failed('step-3', 'Edit', cart));
  await tell(at, talk.stop());
  put(workspace, 'notes', 'after the last step');
  await tell(at, talk.stop('and done again'));
  await tell(at, talk.prompt('prompt-2', ''));
  const bash = { command: 'npm test -- --all\necho' };
  const subagent = { agent_id: 'sub-1', agent_type: 'tester' };
  await tell(at, talk.before('step-4', 'Bash', bash, subagent));
  put(workspace, 'coverage', '100');
  await tell(at, talk.after('step-4', 'Bash', bash, subagent));
  await tell(at, talk.say('PreCompact', { trigger: 'manual' }));
  put(workspace, 'coverage', '99');
  await tell(at, talk.say('PreCompact', { trigger: 'auto' }));
  await tell(at, talk.end());
};

const SESSION = [
  '0 session-start: Session startup',
  '1 prompt: Add a cart',
  '1 after-step: Write cart.ts',
  '1 before-step: Before Edit cart.ts',
  '1 after-step: Edit cart.ts (failed)',
  '1 turn-end: End of turn',
  '2 prompt: Prompt',
  '2 after-step: Bash: npm test -- --all ⏎ echo',
  '2 compact: Before compaction (auto)',
  '2 session-end: Session ended (exit)',
];

describe('a session of Claude Code', () => {
  test('[AGT-1] [CKP-1] [CKP-5] lands as operations with kind, description, turn and place; what changed nothing leaves none', async () => {
    const at = daemonScene(PATIENT);
    await playSession(at);
    const operations = operationsOf(at);
    expect(operations.map(brief)).toEqual(SESSION);
    expect(operations.map(({ sequence }) => sequence)).toEqual(SESSION.map((_, index) => index + 1));
    expect(new Set(operations.map(({ session, status }) => `${session} ${status}`))).toEqual(new Set(['session-1 complete']));
    expect(operations.map(({ event }) => event?.place)).toEqual([
      { agent: 'claude-code' },
      { agent: 'claude-code', promptId: 'prompt-1' },
      { agent: 'claude-code', toolUseId: 'step-1', tool: 'Write' },
      { agent: 'claude-code', toolUseId: 'step-3', tool: 'Edit', promptId: 'prompt-1' },
      { agent: 'claude-code', toolUseId: 'step-3', tool: 'Edit' },
      { agent: 'claude-code' },
      { agent: 'claude-code', promptId: 'prompt-2' },
      { agent: 'claude-code', toolUseId: 'step-4', tool: 'Bash', agentId: 'sub-1', agentType: 'tester' },
      { agent: 'claude-code' },
      { agent: 'claude-code' },
    ]);
    // A step is known to have begun after all that was recorded until then.
    expect(operations.map(({ event }) => event?.began ?? null)).toEqual([null, null, 2, null, 4, null, null, 7, null, null]);
    expect(operations.map(({ event }) => event?.late)).toEqual(SESSION.map(() => undefined));
    expect(operations.slice(1).map(({ previous }) => previous)).toEqual(operations.slice(0, -1).map(({ id }) => id));
    const [, , written, before, failed] = operations.map(({ id }) => id) as [string, string, string, string, string];
    expect(contentAt(at, written, 'src/cart.ts')).toBe('one');
    expect(contentAt(at, before, 'README.md')).toBe('by hand');
    expect(contentAt(at, before, 'src/cart.ts')).toBe('one');
    expect(contentAt(at, failed, 'src/cart.ts')).toBe('two');
    expect(at.retake.json(at.workspace, 'daemon', 'status')).toMatchObject({ running: true, spooled: 0, trouble: [] });
  });

  test('[AGT-1] without the daemon the same is recorded, tree by tree', async () => {
    const [at, without] = [daemonScene(PATIENT), daemonScene({ ...PATIENT, RETAKE_DAEMON_ENABLED: 'false' })];
    await Promise.all([playSession(at), playSession(without)]);
    const told = (scene: Scene) => operationsOf(scene).map((one) => [brief(one), one.files, one.event?.place, one.event?.began]);
    expect(told(without)).toEqual(told(at));
    expect(existsSync(daemonFile(without, 'address.json'))).toBe(false);
  });

  test('[CKP-5] a step is noticed also in a directory below and by way of a link', async () => {
    const at = daemonScene(PATIENT);
    put(at.workspace, 'deep/er/file', '1');
    await tell(at, promptPayload(at, 'protects the workspace'));
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(at.workspace, link);
    for (const [number, directory] of [join(at.workspace, 'deep/er'), link, join(link, 'deep')].entries()) {
      put(at.workspace, 'deep/er/file', `by ${number}`);
      await tell(at, new Conversation('s', directory).after(`step-${number}`, `From${number}`));
    }
    expect(operationsOf(at).map(({ description }) => description)).toEqual(['protects the workspace', 'From0', 'From1', 'From2']);
  });
});

test('[CKP-1] steps that overlap are both recorded, each with the moment at which it began', async () => {
  const at = daemonScene(PATIENT);
  const talk = new Conversation('s', at.workspace);
  await tell(at, talk.prompt('p', 'both'));
  await tell(at, talk.before('a', 'A'));
  await tell(at, talk.before('b', 'B'));
  put(at.workspace, 'by-a', 'a');
  put(at.workspace, 'by-b', 'b');
  await tell(at, talk.after('a', 'A'));
  // All its changes are in the record of the other one already.
  await tell(at, talk.after('b', 'B'));
  await tell(at, talk.before('c', 'C'));
  await tell(at, talk.before('d', 'D'));
  put(at.workspace, 'by-c', 'c');
  await tell(at, talk.after('c', 'C'));
  put(at.workspace, 'by-d', 'd');
  await tell(at, talk.after('d', 'D'));
  // One that began after the other had ended shares nothing with it.
  await tell(at, talk.before('e', 'E'));
  await tell(at, talk.after('e', 'E'));
  expect(operationsOf(at).map(({ description, event }) => `${description} ${event?.began ?? '-'}`)).toEqual([
    'both -',
    'A 1',
    'B 1',
    'C 3',
    'D 3',
  ]);
});

describe('an event that comes twice is recorded once', () => {
  const expectOnce = (at: Scene): void => {
    const operations = operationsOf(at);
    expect(operations.map(brief)).toEqual([
      '0 session-start: Session startup',
      '1 prompt: do it',
      '1 after-step: Edit',
      '1 turn-end: End of turn',
      '1 session-end: Session ended (exit)',
    ]);
    expect(operations[2]?.event?.began).toBe(2);
  };

  const play = async (at: Scene, twice: (payload: string) => Promise<unknown>): Promise<void> => {
    const talk = new Conversation('s', at.workspace);
    await twice(talk.start());
    await twice(talk.prompt('p1', 'do it'));
    await twice(talk.before('t1'));
    put(at.workspace, 'file', '1');
    await twice(talk.after('t1'));
    put(at.workspace, 'file', '2');
    await twice(talk.stop());
    await twice(talk.end());
  };

  test.each(['true', 'false'])('[REL-4] one after the other, with RETAKE_DAEMON_ENABLED=%s', async (enabled) => {
    const at = daemonScene({ ...PATIENT, RETAKE_DAEMON_ENABLED: enabled });
    await play(at, async (payload) => {
      await tell(at, payload);
      await tell(at, payload);
    });
    expectOnce(at);
  });

  test.each(['true', 'false'])('[REL-4] by two hooks at once, with RETAKE_DAEMON_ENABLED=%s', async (enabled) => {
    const at = daemonScene({ ...PATIENT, RETAKE_DAEMON_ENABLED: enabled });
    await play(at, (payload) => Promise.all([tell(at, payload), tell(at, payload)]));
    expectOnce(at);
  });

  test('[REL-4] the same session in two workspaces is two', async () => {
    const at = daemonScene(PATIENT);
    const other: Scene = { ...at, workspace: temporaryDirectory() };
    for (const one of [at, other]) await tell(one, new Conversation('s', one.workspace).prompt('p1', 'do it'));
    for (const one of [at, other]) expect(operationsOf(one)).toHaveLength(1);
  });

  test('[CKP-1] a session that starts again in other words is another start', async () => {
    const at = daemonScene(PATIENT);
    const talk = new Conversation('s', at.workspace);
    for (const source of ['startup', 'startup', 'resume', 'compact', 'resume']) await tell(at, talk.start(source));
    expect(operationsOf(at).map(({ description }) => description)).toEqual(['Session startup', 'Session resume', 'Session compact']);
  });
});

test('[CKP-1] words typed while the agent works belong to the turn under way, and end no step of it', async () => {
  const at = daemonScene(PATIENT);
  const talk = new Conversation('s', at.workspace);
  await tell(at, talk.prompt('p1', 'run it'));
  await tell(at, talk.before('step-1', 'Bash', { command: 'make' }));
  put(at.workspace, 'half-made', 'x');
  await tell(at, talk.prompt('p1', 'and be quick'));
  put(at.workspace, 'made', 'x');
  await tell(at, talk.after('step-1', 'Bash', { command: 'make' }));
  await tell(at, talk.prompt('p1', 'and be quick'));
  await tell(at, talk.prompt('p2', 'next'));
  const operations = operationsOf(at);
  expect(operations.map(brief)).toEqual(['1 prompt: run it', '1 prompt: and be quick', '1 after-step: Bash: make', '2 prompt: next']);
  expect(operations[2]?.event?.began).toBe(1);
  expect(at.retake.json(at.workspace, 'show', 't2').description).toBe('next');
});

describe('[CKP-1] automatic checkpoints can be switched off', () => {
  const play = async (at: Scene): Promise<void> => {
    const talk = new Conversation('s', at.workspace);
    await tell(at, talk.prompt('p1', 'do it'));
    for (const [step, tool] of [
      ['step-1', 'Bash'],
      ['step-2', 'Edit'],
    ] as const) {
      await tell(at, talk.before(step, tool));
      put(at.workspace, tool, 'x');
      await tell(at, talk.after(step, tool));
    }
  };

  test.each(['true', 'false'])(
    'for some tools, with RETAKE_DAEMON_ENABLED=%s: the next event finds what those changed',
    async (enabled) => {
      const at = daemonScene({ ...PATIENT, RETAKE_DAEMON_ENABLED: enabled, RETAKE_RECORD_SKIP_TOOLS: '["Bash"]' });
      await play(at);
      expect(operationsOf(at).map(brief)).toEqual(['1 prompt: do it', '1 before-step: Before Edit', '1 after-step: Edit']);
    },
  );

  test('wholly; what somebody asks for is recorded all the same', async () => {
    const at = daemonScene({ ...PATIENT, RETAKE_RECORD_AUTOMATIC: 'false' });
    await play(at);
    expect(at.retake.json(at.workspace, 'log').operations).toEqual([]);
    at.retake.json(at.workspace, 'checkpoint');
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
    expect(troubles(at)).toEqual([]);
  });
});

describe('a turn that was interrupted', () => {
  test('[CKP-1] ends with what its step had changed, before the next prompt', async () => {
    const at = daemonScene(PATIENT);
    const talk = new Conversation('s', at.workspace);
    await tell(at, talk.start());
    await tell(at, talk.prompt('p1', 'run it'));
    await tell(at, talk.before('step-1', 'Bash', { command: 'make' }));
    put(at.workspace, 'half-made', 'x');
    // Esc: neither the step's end nor the turn's is told.
    await tell(at, talk.prompt('p2', 'stop'));
    put(at.workspace, 'by-hand', 'x');
    await tell(at, talk.prompt('p3', 'go on'));
    expect(operationsOf(at).map(brief)).toEqual([
      '0 session-start: Session startup',
      '1 prompt: run it',
      '1 turn-end: End of turn (interrupted)',
      '2 prompt: stop',
      '3 prompt: go on',
    ]);
    const [, , end, second, third] = operationsOf(at);
    expect(end?.files).toBe(second?.files);
    expect(third?.files).not.toBe(second?.files);
  });

  test('[CKP-1] a session that ends during a step ends its turn too', async () => {
    const at = daemonScene(PATIENT);
    const talk = new Conversation('s', at.workspace);
    await tell(at, talk.prompt('p1', 'run it'));
    await tell(at, talk.before('step-1', 'Bash', { command: 'make' }));
    put(at.workspace, 'half-made', 'x');
    await tell(at, talk.end());
    expect(operationsOf(at).map(brief)).toEqual([
      '1 prompt: run it',
      '1 turn-end: End of turn (interrupted)',
      '1 session-end: Session ended (exit)',
    ]);
  });
});

describe('the same words, later', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  test('[CKP-1] without an id of the agent they are another event; with one they are not', async () => {
    const home = temporaryDirectory();
    vi.stubEnv('HOME', home);
    vi.stubEnv('RETAKE_HOME', join(home, 'retake'));
    const directory = temporaryDirectory();
    const workspace = await Workspace.open({ directory });
    onTestFinished(() => workspace.close());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    const talk = new Conversation('s', directory);
    const record = async (payload: string): Promise<string> => {
      const event = decodeEvent('claude-code', payload);
      if (event === null) throw new Error('no event');
      const { checkpoint, isRepeated } = await recordEvent(workspace, event);
      return isRepeated ? 'repeated' : (checkpoint?.kind ?? 'nothing');
    };
    expect(await record(talk.start())).toBe('session-start');
    expect(await record(talk.prompt('p1', 'do it'))).toBe('prompt');
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 9));
    expect(await record(talk.start())).toBe('repeated');
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 11));
    expect(await record(talk.start())).toBe('session-start');
    vi.setSystemTime(Date.UTC(2026, 0, 2));
    expect(await record(talk.prompt('p1', 'do it'))).toBe('repeated');
    // The clock was set back.
    vi.setSystemTime(Date.UTC(2025, 0, 1));
    expect(await record(talk.start())).toBe('session-start');
    expect(await record(talk.start())).toBe('repeated');
  });
});

/** The roots for which there is a store; not that of the daemon itself. */
