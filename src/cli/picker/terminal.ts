import { writeSync } from 'node:fs';

/** The main screen, and a cursor on it; no bracketed paste. */
const AS_IT_WAS = '\u001b[?2004l\u001b[?1049l\u001b[?25h';

const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2, SIGQUIT: 3 } as const;

export interface Guard {
  /** Called when the terminal is gone, or nobody sits before it any more. */
  onLost(leave: () => void): void;
  release(): void;
}

/**
 * Sees to it that the terminal is usable again whatever ends the picker: the end of the program, a signal, an exception that nobody caught, or
 * the terminal itself going away.
 */
export const guardTerminal = (): Guard => {
  let leave = (): void => {};
  let isOpen = true;
  const restore = (): void => {
    if (!isOpen) return;
    isOpen = false;
    try {
      process.stdin.setRawMode(false);
      writeSync(process.stdout.fd, AS_IT_WAS);
    } catch {
      // There is no terminal any more that could be left broken.
    }
  };
  const lost = (): void => leave();
  const ended = (signal: keyof typeof SIGNALS): void => {
    leave();
    restore();
    process.exit(128 + SIGNALS[signal]);
  };
  const failed = (error: unknown): void => {
    leave();
    restore();
    process.stderr.write(`retake: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  };
  process.on('exit', restore);
  process.on('uncaughtException', failed);
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process.on(signal, ended);
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, lost);
  return {
    onLost(given) {
      leave = given;
    },
    release() {
      restore();
      process.off('exit', restore);
      process.off('uncaughtException', failed);
      for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process.off(signal, ended);
      for (const event of ['end', 'close', 'error']) process.stdin.off(event, lost);
    },
  };
};
