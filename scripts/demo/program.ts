import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const BIN = join(import.meta.dirname, '../../bin/retake');

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What went wrong, for people: `npm start` prints it and nothing else. */
export class Refusal extends Error {}

/** Runs Retake to its end, and returns its answer. */
// biome-ignore lint/suspicious/noExplicitAny: the answers of many verbs
export const askRetake = ({ cwd, env }: RunOptions, ...args: string[]): any => {
  const { status, stdout, stderr, error } = spawnSync(BIN, [...args, '--json'], { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error !== undefined) throw new Refusal(`retake could not be started: ${error.message}`);
  if (status === 0) return JSON.parse(stdout);
  throw new Refusal(reasonIn(stdout) ?? (stderr.trim() || `retake ${args.join(' ')} ended with ${status}`));
};

const reasonIn = (stdout: string): string | undefined => {
  try {
    const { message, hint } = JSON.parse(stdout).error;
    return hint === undefined ? message : `${message}\n${hint}`;
  } catch {
    return undefined;
  }
};

export const requireGit = (): void => {
  const { status } = spawnSync('git', ['--version'], { stdio: 'ignore' });
  if (status !== 0) throw new Refusal('Retake needs git, which was not found in PATH. On Debian: apt-get install git');
};

/** Has the background process serve a workspace, and tells where. */
export const serveTo = (options: RunOptions, say: (line: string) => void): void => {
  const { url, link } = askRetake(options, 'serve');
  const { value: wanted } = askRetake(options, 'settings', 'server.port');
  if (new URL(url).port !== String(wanted)) say(`Port ${wanted} is taken, so it is served at another one.`);
  say(`Served at ${url}, on this machine only. This link signs your browser in, once, within five minutes:`);
  say('');
  say(`    ${link}`);
  say('');
};
