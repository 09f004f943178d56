import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

const PASSED_ON = /^(PATH|HOME|TMPDIR|LANG|LD_LIBRARY_PATH|(XDG|LC|RETAKE)_.*)$/;

/** What a background process may know of the one that happened to start it. */
export const passedOn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));

export interface Background {
  /** With the exit code, should it end while we still live. */
  readonly ended: Promise<number | null>;
}

/** For work that nobody waits for: this process and those that it starts run when nothing else wants to. */
export const yieldToOthers = (): void => setPriority(constants.priority.PRIORITY_LOW);

export interface BackgroundOptions {
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
}

/**
 * Starts a script of ours that outlives us: in a session of its own, holding on to none of our files, directories and
 * terminals.
 */
export const startInBackground = (script: string, { args = [], nodeOptions = [] }: BackgroundOptions = {}): Background => {
  const options = { cwd: '/', env: passedOn(process.env), detached: true, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], options);
  child.unref();
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
    child.on('error', () => resolve(null));
  });
  return { ended };
};
