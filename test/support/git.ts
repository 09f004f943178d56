import { execFileSync } from 'node:child_process';

/** No configuration of the machine's user reaches a test. */
export const hermeticEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CONFIG_HOME: `${home}/.config`,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
  LC_ALL: 'C',
  // Most tests are about what a command does itself.
  RETAKE_DAEMON_ENABLED: 'false',
});

/** Real git in a directory; returns what it printed. */
export const gitIn = (directory: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: directory, env: hermeticEnvironment('/nonexistent'), stdio: ['ignore', 'pipe', 'pipe'] }).toString();
