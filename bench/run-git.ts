import { execFileSync } from 'node:child_process';

/** Runs git to its end and returns what it printed. Nothing is synced to disk: Retake by default does not either. */
export const runGit = (directory: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): string =>
  execFileSync('git', ['-c', 'core.fsync=none', ...args], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  }).toString();
