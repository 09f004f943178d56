import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAddress } from '../src/daemon/address.ts';
import type { Calls } from '../src/daemon/calls.ts';
import { askDaemon } from '../src/daemon/client.ts';
import { bringDown, daemonStatus } from '../src/daemon/control.ts';
import { daemonDirectory } from '../src/daemon/place.ts';
import type { DaemonStatus } from '../src/daemon/protocol.ts';
import { socketPath } from '../src/daemon/socket-path.ts';
import { demand } from './measure.ts';
import { runProgram } from './retake.ts';

interface PreparedEvent {
  /** Sends it, and waits for the reply. */
  send(): Promise<unknown>;
  /** Makes sure that it was taken. */
  check(): Promise<void>;
}

/** A daemon with a data directory of its own, asked over its socket as faces and hooks do. */
export class BenchDaemon {
  readonly home: string;
  readonly #directory: string;
  readonly pid: number;
  #events = 0;

  private constructor(home: string, directory: string, pid: number) {
    this.home = home;
    this.#directory = directory;
    this.pid = pid;
  }

  /** For a workspace that is recorded already. Its end is the caller's duty. */
  static start(home: string, directory: string): BenchDaemon {
    const { pid } = runProgram<{ pid: number }>(home, directory, 'daemon', 'start');
    return new BenchDaemon(home, directory, pid);
  }

  async stop(): Promise<void> {
    this.#here();
    await bringDown();
  }

  async call<K extends keyof Calls>(name: K, args: Calls[K]): Promise<unknown> {
    this.#here();
    return askDaemon({ verb: 'call', call: { name, directory: this.#directory, args } });
  }

  /** What the hook sends when a tool has run. */
  event(): string {
    this.#events++;
    return JSON.stringify({
      hook_event_name: 'PostToolUse',
      session_id: 'bench',
      cwd: this.#directory,
      tool_name: 'Edit',
      tool_use_id: `tool-${this.#events}`,
      tool_input: { file_path: `${this.#directory}/file` },
    });
  }

  async record(payload: string): Promise<void> {
    this.#here();
    await askDaemon({ verb: 'event', event: { agent: 'claude-code', payload, at: new Date().toISOString() } });
  }

  /** Connects and gets an event ready, so that from request to reply is all that is measured. */
  async prepare(payload: string): Promise<PreparedEvent> {
    this.#here();
    const token = readAddress()?.token;
    const socket = connect(socketPath(daemonDirectory()).path);
    await once(socket, 'connect');
    const request = { verb: 'event', event: { agent: 'claude-code', payload, at: new Date().toISOString() } };
    const line = `${JSON.stringify({ token, request })}\n`;
    const reply = new Promise<Buffer>((resolve) => socket.once('data', resolve));
    return {
      send: () => {
        socket.write(line);
        return reply;
      },
      check: async () => {
        socket.destroy();
        const text = (await reply).toString();
        demand(text.startsWith('{"result"'), text);
      },
    };
  }

  async status(): Promise<DaemonStatus> {
    this.#here();
    const status = await daemonStatus();
    if (status === undefined) throw new Error('the daemon is gone');
    return status;
  }

  /** Until the daemon knows of changes without looking for them. */
  async warm(): Promise<void> {
    for (let tries = 0; (await this.status()).workspaces[0]?.tier !== 'journal'; tries++) {
      demand(tries < 6000, 'the daemon did not begin to watch');
      await sleep(10);
    }
  }

  /** Until its code and ours have run often enough to be fast: the daemon sees to that itself when it starts. */
  async practise(): Promise<void> {
    for (let tries = 0; !(await this.status()).rehearsed; tries++) {
      demand(tries < 6000, 'the daemon did not rehearse');
      await sleep(10);
    }
    for (let round = 0; round < 100; round++) {
      const event = await this.prepare('{"hook_event_name":"None"}');
      await event.send();
      await event.check();
    }
  }

  /** Seconds of a core that the daemon has used so far. */
  get cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const TICKS = 100;
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  }

  #here(): void {
    process.env.RETAKE_HOME = this.home;
  }
}
