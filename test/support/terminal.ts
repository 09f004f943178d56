import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './temporary.ts';

/** A program in a terminal, as somebody sits before it. */
export interface Terminal {
  /** Types a line and sends it, once it stands there. */
  type(line: string): Promise<void>;
  /** Presses keys one after the other, in the words of tmux: `Escape`, `Up`, `Enter`, `C-c`. */
  press(...keys: string[]): void;
  /** Types characters without sending them. */
  write(text: string): void;
  screen(): string;
  /** The same with the escape sequences for colours. */
  painted(): string;
  /** Something that tmux knows of it, by the name of the format. */
  fact(name: string): string;
  resize(columns: number, rows: number): void;
  /** Waits until the screen shows something; fails with what it shows instead. */
  shows(expected: string | RegExp): Promise<void>;
  /** Waits until it does not show that any more. */
  hides(unexpected: string | RegExp): Promise<void>;
  until(isReached: () => boolean, what: string): Promise<void>;
  /** Waits for the program's end. */
  ended(): Promise<void>;
  /** Takes the terminal away from whatever runs in it. */
  takeAway(): void;
}

export interface TerminalOptions {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

const PAUSE = 50;
const PATIENCE = 120_000;

const ATTEMPTS = 10;

/** Why there can be no terminal here; null where there can. Installs tmux where that is possible. */
export const whyNoTerminal = (): string | null => {
  let problem = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (spawnSync('tmux', ['-V']).status === 0) return null;
    const { status, stderr } = spawnSync('sh', ['-c', 'apt-get update -q && apt-get install -q -y tmux'], { encoding: 'utf8' });
    problem = stderr.trim().slice(-300);
    // Another test may be about to install it: then this one waits for the end of that.
    if (status !== 0 && !problem.includes('lock')) break;
    spawnSync('sleep', ['3']);
  }
  return `tmux is not here and could not be installed: ${problem}`;
};

export const openTerminal = async (command: readonly string[], options: TerminalOptions): Promise<Terminal> => {
  const { directory, env, columns = 140, rows = 50 } = options;
  // A server of its own: nothing of the user's tmux reaches it, nor the other way round.
  const socket = `${temporaryDirectory()}/tmux-${randomBytes(4).toString('hex')}`;
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-u', '-f', '/dev/null', '-S', socket, ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  tmux('new-session', '-d', '-s', 'client', '-x', `${columns}`, '-y', `${rows}`, '-c', directory, '--', ...command);
  onTestFinished(() => {
    try {
      tmux('kill-server');
    } catch {
      // It ended by itself.
    }
  });

  const isOpen = (): boolean => {
    try {
      tmux('has-session', '-t', 'client');
      return true;
    } catch {
      return false;
    }
  };
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'client').trimEnd();
  const until = async (isReached: () => boolean, what: string): Promise<void> => {
    for (let waited = 0; !isReached(); waited += PAUSE) {
      if (waited > PATIENCE) throw new Error(`${what}; the screen:\n${isOpen() ? screen() : '(closed)'}`);
      await sleep(PAUSE);
    }
  };
  const isShown = (wanted: string | RegExp): boolean => (typeof wanted === 'string' ? screen().includes(wanted) : wanted.test(screen()));

  const terminal: Terminal = {
    screen,
    until,
    painted: () => tmux('capture-pane', '-p', '-e', '-t', 'client'),
    fact: (name) => tmux('display-message', '-p', '-t', 'client', `#{${name}}`).trim(),
    resize: (wide, high) => void tmux('resize-window', '-t', 'client', '-x', `${wide}`, '-y', `${high}`),
    press(...keys) {
      for (const key of keys) tmux('send-keys', '-t', 'client', key);
    },
    write: (text) => void tmux('send-keys', '-t', 'client', '-l', text),
    async type(line) {
      terminal.write(line);
      // Joined, because a long one takes two rows.
      await until(() => tmux('capture-pane', '-p', '-J', '-t', 'client').includes(line), `never showed ${line}`);
      terminal.press('Enter');
    },
    shows: (expected) => until(() => isShown(expected), `never showed ${expected}`),
    hides: (unexpected) => until(() => !isShown(unexpected), `still shows ${unexpected}`),
    ended: () => until(() => !isOpen(), 'did not end'),
    takeAway: () => void tmux('kill-server'),
  };
  return terminal;
};
