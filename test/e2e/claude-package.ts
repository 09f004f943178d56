import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The one place that says which client the tests drive. */
const PACKAGE = '@anthropic-ai/claude-code';
const VERSION = '2.1.325';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'retake-e2e');
const installed = join(cache, `claude-code-${VERSION}`);

/** The client's program, or undefined where it is not installed. */
const programIn = (directory: string): string | undefined => {
  const scope = join(directory, 'node_modules/@anthropic-ai');
  // The package for this machine holds the program itself; so no install script needs to run.
  const names = existsSync(scope) ? readdirSync(scope) : [];
  return names.map((name) => join(scope, name, 'claude')).find((path) => existsSync(path));
};

export const claudeProgram = (): string => {
  const program = programIn(installed);
  if (program === undefined) throw new Error(`Claude Code ${VERSION} is not in ${installed}: run npm run e2e:claude`);
  return program;
};

/** Fetches the client unless it is there. Two runs at once each fetch their own; the first to be ready stays. */
export const installClaude = (): void => {
  if (programIn(installed) !== undefined) return;
  mkdirSync(cache, { recursive: true });
  const attempt = mkdtempSync(join(cache, 'fetching-'));
  try {
    const args = ['install', '--prefix', attempt, '--no-audit', '--no-fund', '--ignore-scripts', `${PACKAGE}@${VERSION}`];
    const { status, stderr, error } = spawnSync('npm', args, { encoding: 'utf8', cwd: attempt });
    if (status !== 0 || programIn(attempt) === undefined)
      throw new Error(
        `Claude Code ${VERSION} could not be fetched with npm, and nothing can be tested without it.\n${error?.message ?? stderr}`,
      );
    putInPlace(attempt);
  } finally {
    rmSync(attempt, { recursive: true, force: true });
  }
};

const putInPlace = (attempt: string): void => {
  try {
    renameSync(attempt, installed);
  } catch (error) {
    // Somebody else was faster; an empty leftover would not have stood in the way.
    if (programIn(installed) === undefined) throw error;
  }
};
