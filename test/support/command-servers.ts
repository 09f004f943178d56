import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NumberedReply } from './command-server.ts';
import { hermeticEnvironment } from './git.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory with one folder per worker: where its command server listens. */
    commandServers: string;
  }
}

const SERVER = join(import.meta.dirname, 'command-server.ts');

/** The two pipes of a command server: a worker waits on one of them without its event loop, as it would for a process. */
export const placesIn = (directory: string) => ({ requests: join(directory, 'requests'), replies: join(directory, 'replies') });

export interface CommandServers {
  readonly directory: string;
  readonly end: () => void;
}

/** One process per worker that runs the command lines of its tests. */
export const startCommandServers = (workers: number): CommandServers => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'retake-servers-')));
  const ends = Array.from({ length: workers }, (_, index) => startServer(join(directory, String(index + 1))));
  return {
    directory,
    end: () => {
      for (const end of ends) end();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const startServer = (directory: string): (() => void) => {
  mkdirSync(directory);
  const { requests, replies } = placesIn(directory);
  execFileSync('mkfifo', [requests, replies]);
  let isOver = false;
  const start = () =>
    spawn(process.execPath, [SERVER, requests, replies], {
      env: hermeticEnvironment('/nonexistent'),
      // The channel is how it notices that we are gone.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }).once('exit', (code, signal) => {
      if (isOver) return;
      const died: NumberedReply = { number: 0, code: -1, stdout: '', stderr: `the command server ended with ${code ?? signal}` };
      writeFileSync(replies, `${JSON.stringify(died)}\n`, { flag: 'r+' });
      server = start();
    });
  let server = start();
  return () => {
    isOver = true;
    server.kill();
  };
};
