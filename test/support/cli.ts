import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { askServer } from './command-client.ts';
import { hermeticEnvironment } from './git.ts';
import { DEEP } from './tier.ts';

const PROJECT = join(import.meta.dirname, '../..');
export const BIN = join(PROJECT, 'bin/retake');

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  readonly json: any;
}

export interface Retake {
  /** Where Retake keeps its data. */
  readonly home: string;
  readonly env: Record<string, string>;
  /** Runs a command line in a directory, to its end: in a process that lives on, and in the deep tier in one of its own. */
  run(directory: string, ...args: string[]): Run;
  /** The same in a process of its own: for exit codes, pipes, and what lives on when it ends. */
  spawn(directory: string, ...args: string[]): Run;
  /** `run` with `--json`; throws when it fails, with everything it said. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  json(directory: string, ...args: string[]): any;
  /** Starts it without waiting. */
  start(directory: string, ...args: string[]): Promise<Run>;
  /** The store's git directory for a workspace. */
  store(directory: string): string;
}

/** The program with a data directory of its own. `home` is also `$HOME`, so keep workspaces outside of it. */
export const retakeIn = (home: string, extra: Record<string, string> = {}): Retake => {
  const env = { ...hermeticEnvironment(home), RETAKE_HOME: join(home, 'retake'), ...extra };
  const finish = (code: number | null, stdout: string, stderr: string): Run => ({
    code: code ?? -1,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  });
  const run = (directory: string, ...args: string[]): Run => {
    const { code, stdout, stderr } = askServer({ directory, env, args });
    return finish(code, stdout, stderr);
  };
  const spawnAndWait = (directory: string, ...args: string[]): Run => {
    const { status, stdout, stderr } = spawnSync(BIN, args, { cwd: directory, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
    return finish(status, stdout, stderr);
  };
  return {
    home: env.RETAKE_HOME,
    env,
    run: DEEP ? spawnAndWait : run,
    spawn: spawnAndWait,
    json(directory, ...args) {
      const result = this.run(directory, ...args, '--json');
      if (result.code !== 0) throw new Error(`retake ${args.join(' ')} exited ${result.code}\n${result.stdout}\n${result.stderr}`);
      return result.json;
    },
    start: (directory, ...args) =>
      new Promise((resolve, reject) => {
        const child = spawn(BIN, args, { cwd: directory, env });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (chunk) => (stdout += chunk));
        child.stderr.on('data', (chunk) => (stderr += chunk));
        child.on('error', reject);
        child.on('close', (code) => resolve(finish(code, stdout, stderr)));
      }),
    store(directory) {
      return this.json(directory, 'status').store;
    },
  };
};
