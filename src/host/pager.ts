import { type ChildProcess, spawn } from 'node:child_process';

/** What a shell answers where there is no such program, or none that could be run. */
const NOT_STARTED = new Set([126, 127]);

/**
 * Hands a text to the program that the user reads long texts with, and waits until it was left. False where there is no such program:
 * then nothing was shown. Who leaves it early has seen enough.
 */
export const showInPager = (command: string | readonly [program: string, ...args: string[]], text: string): Promise<boolean> =>
  new Promise((resolve) => {
    // A key that ends the reading is for the pager.
    const ignore = (): void => {};
    process.on('SIGINT', ignore);
    const end = (isShown: boolean): void => {
      process.off('SIGINT', ignore);
      resolve(isShown);
    };
    const child = start(command);
    child.stdin?.on('error', () => {});
    child.stdin?.end(text);
    child.on('error', () => end(false));
    child.on('close', (code) => end(!NOT_STARTED.has(code ?? 0)));
  });

const start = (command: string | readonly [string, ...string[]]): ChildProcess => {
  const [program, ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  return spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
};
