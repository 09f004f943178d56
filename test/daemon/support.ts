import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { DaemonStatus } from '../../src/daemon/protocol.ts';
import { BIN, retakeIn } from '../support/cli.ts';
import type { Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { daemonsIn, endDaemons, until } from './processes.ts';

export { isAlive, until } from './processes.ts';

export const DIST = join(BIN, '../../dist');

/** A workspace and a data directory; whatever daemon lives there at the end of the test is ended. */
export const daemonScene = (env: Record<string, string> = {}, home = temporaryDirectory()): Scene => {
  const at = { workspace: temporaryDirectory(), retake: retakeIn(home, { RETAKE_DAEMON_ENABLED: 'true', ...env }) };
  mkdirSync(at.retake.home, { recursive: true, mode: 0o700 });
  onTestFinished(() => endDaemons(at.retake.home));
  return at;
};

/** The program in a place of its own, where it can be replaced; the script of its daemon. */
export const copyProgram = (): string => {
  const root = temporaryDirectory();
  cpSync(DIST, join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  return join(root, 'dist/daemon.js');
};

/** As an update does. */
export const replaceProgram = (script: string): void => {
  cpSync(script, `${script}.new`);
  utimesSync(`${script}.new`, new Date(), new Date());
  renameSync(`${script}.new`, script);
};

export const daemonFile = (at: Scene, name: string): string => join(at.retake.home, 'daemon', name);

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const readAddress = (at: Scene): any => {
  try {
    return JSON.parse(readFileSync(daemonFile(at, 'address.json'), 'utf8'));
  } catch {
    return undefined;
  }
};

export const readLog = (at: Scene): string => readFileSync(daemonFile(at, 'log'), 'utf8');

/** The living processes of the daemon's program that work for a scene. */
export const daemonsOf = (at: Scene, ...args: string[]): number[] => daemonsIn(at.retake.home, args);

export interface DaemonProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<number | null>;
}

export interface ProcessOptions {
  readonly script?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly user?: number;
}

/** Starts the daemon's own program, as a child whose end can be seen. */
export const startProcess = (at: Scene, options: ProcessOptions = {}): DaemonProcess => {
  const { script = join(DIST, 'daemon.js'), args = [], env = {}, user } = options;
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...at.retake.env, ...env },
    stdio: 'ignore',
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, pid: child.pid as number, ended };
};

/** Starts it and waits until it answers. */
export const startDaemon = async (at: Scene, options: ProcessOptions = {}): Promise<DaemonProcess> => {
  const started = startProcess(at, options);
  await until(() => readAddress(at)?.pid === started.pid);
  expect((await status(at)).pid).toBe(started.pid);
  return started;
};

/** What comes back over the socket for these bytes; an `error` where the connection broke. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const sendRaw = (at: Scene, bytes: string | Buffer): Promise<any[]> =>
  new Promise((resolve) => {
    const path = daemonFile(at, 'socket');
    const socket = connect(path);
    let received = '';
    socket.on('data', (chunk) => (received += chunk));
    // Sending to one that has hung up is no failure here: what it said before counts.
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve(
        received
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      ),
    );
    socket.write(bytes);
  });

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const ask = async (at: Scene, request: unknown): Promise<any> => {
  const lines = await sendRaw(at, `${JSON.stringify({ token: readAddress(at)?.token, request })}\n`);
  return lines.at(-1);
};

export const status = async (at: Scene): Promise<DaemonStatus> => (await ask(at, { verb: 'status' })).result;

export interface HookRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HookOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string | undefined>;
  readonly script?: string;
  readonly user?: number;
}

/** The hook as agents run it; with `null` its input never ends. */
export const runHook = (at: Scene, input: string | Buffer | null, options: HookOptions = {}): Promise<HookRun> =>
  new Promise((resolve) => {
    const { args = ['claude-code'], env = {}, script = join(DIST, 'hook.cjs'), user } = options;
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...at.retake.env, ...env },
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // It may end without having read everything.
    child.stdin.on('error', () => {});
    if (input !== null) child.stdin.end(input);
  });

export const SILENT: HookRun = { code: 0, stdout: '', stderr: '' };

/** A hook that waits as long as it takes. */
export const PATIENT = { RETAKE_HOOK_DEADLINE_MS: '120000' };

/** Tells of an event as an agent does, which hears nothing back. */
export const tell = async (at: Scene, payload: string | Buffer): Promise<void> => expect(await runHook(at, payload)).toEqual(SILENT);

/**
 * The same, and it returns when the event is recorded too; but the daemon that answers already is told by this process. The hook's own takes
 * most of the time of a test with a long session, and has tests of its own.
 */
export const tellDaemon = async (at: Scene, payload: string): Promise<void> => {
  const event = { agent: 'claude-code', payload, at: new Date().toISOString() };
  const reply = await ask(at, { verb: 'event', event });
  if (reply === undefined || 'error' in reply) return tell(at, payload);
  expect(reply).toEqual({ result: { output: SILENT.stdout } });
};

let prompts = 0;

/** A prompt in the workspace, as Claude Code tells it. */
export const promptPayload = (at: Scene, prompt = 'do it'): string =>
  JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's', cwd: at.workspace, prompt, prompt_id: `p${prompts++}` });

/** What was recorded in the workspace, oldest first. */
export const recorded = (at: Scene): string[] =>
  at.retake
    .json(at.workspace, 'log')
    .operations.map(({ description }: { description: string }) => description)
    .reverse();

/** What hooks could not do, as it was noted for people. */
export const troubles = (at: Scene): string[] => {
  const path = join(at.retake.home, 'trouble.jsonl');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).problem);
};

/** Files of the spool, whatever boot they are of. */
export const spooled = (at: Scene): string[] => {
  const spool = join(at.retake.home, 'spool');
  if (!existsSync(spool)) return [];
  return readdirSync(spool, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
};
