import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hermeticEnvironment } from './git.ts';

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
  /** Runs the real program in a directory, to its end. */
  run(directory: string, ...args: string[]): Run;
  /** The same with `--json`; throws when it fails, with everything it said. */
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
    const { status, stdout, stderr } = spawnSync(BIN, args, { cwd: directory, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
    return finish(status, stdout, stderr);
  };
  return {
    home: env.RETAKE_HOME,
    env,
    run,
    json(directory, ...args) {
      const result = run(directory, ...args, '--json');
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
    store: (directory) => run(directory, 'status', '--json').json.store,
  };
};
