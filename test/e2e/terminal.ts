import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';

/** A program in a terminal, as somebody sits before it. */
export interface Terminal {
  /** Types a line and sends it, once it stands there. */
  type(line: string): Promise<void>;
  /** Types a prompt and waits for the end of the answer to it. */
  answers(prompt: string, expected: string | RegExp): Promise<void>;
  /** Goes back to before a prompt by the client's own means: Esc Esc, the conversation only. The line is empty afterwards. */
  rewind(prompt: string): Promise<void>;
  /** Presses keys one after the other, in the words of tmux: `Escape`, `Up`, `Enter`, `C-c`. */
  press(...keys: string[]): void;
  screen(): string;
  /** Waits until the screen shows something; fails with what it shows instead. */
  shows(expected: string | RegExp): Promise<void>;
  /** Waits until it does not show that any more. */
  hides(unexpected: string | RegExp): Promise<void>;
  /** Waits for the program's end. */
  ended(): Promise<void>;
}

export interface TerminalOptions {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

const PAUSE = 50;
const PATIENCE = 30_000;

export const openTerminal = async (command: readonly string[], { directory, env }: TerminalOptions): Promise<Terminal> => {
  // A server of its own: nothing of the user's tmux reaches it, nor the other way round.
  const socket = `${temporaryDirectory()}/tmux-${randomBytes(4).toString('hex')}`;
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', socket, ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  tmux('new-session', '-d', '-s', 'client', '-x', '140', '-y', '50', '-c', directory, '--', ...command);
  onTestFinished(() => {
    if (isOpen()) tmux('kill-server');
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
    press(...keys) {
      for (const key of keys) tmux('send-keys', '-t', 'client', key);
    },
    async type(line) {
      tmux('send-keys', '-t', 'client', '-l', line);
      await terminal.shows(line);
      terminal.press('Enter');
    },
    async answers(prompt, expected) {
      await terminal.type(prompt);
      await terminal.shows(expected);
      await terminal.hides('esc to interrupt');
    },
    async rewind(prompt) {
      terminal.press('Escape', 'Escape');
      await terminal.shows('(current)');
      const chosen = (): string | undefined => /^ {3}❯ (.+)$/m.exec(screen())?.[1]?.trim();
      while (chosen() !== prompt) {
        const before = chosen();
        terminal.press('Up');
        await until(() => chosen() !== before, `no prompt "${prompt}" to go back to`);
      }
      terminal.press('Enter');
      await terminal.shows('Restore conversation');
      terminal.press('Enter');
      await terminal.hides('Restore conversation');
      // The prompt is handed back for editing.
      const line = new RegExp(`❯\\s${prompt}\\s*\\n─`);
      await terminal.shows(line);
      terminal.press('C-u');
      await terminal.hides(line);
    },
    shows: (expected) => until(() => isShown(expected), `never showed ${expected}`),
    hides: (unexpected) => until(() => !isShown(unexpected), `still shows ${unexpected}`),
    ended: () => until(() => !isOpen(), 'did not end'),
  };
  return terminal;
};
