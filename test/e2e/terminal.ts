import { openTerminal as open, type Terminal as Plain, type TerminalOptions } from '../support/terminal.ts';

/** The client in a terminal. */
export interface Terminal extends Plain {
  /** Types a prompt and waits for the end of the answer to it. */
  answers(prompt: string, expected: string | RegExp): Promise<void>;
  /** Goes back to before a prompt by the client's own means: Esc Esc, the conversation only. The line is empty afterwards. */
  rewind(prompt: string): Promise<void>;
}

export const openTerminal = async (command: readonly string[], options: TerminalOptions): Promise<Terminal> => {
  const terminal = await open(command, options);
  return {
    ...terminal,
    async answers(prompt, expected) {
      await terminal.type(prompt);
      await terminal.shows(expected);
      await terminal.hides('esc to interrupt');
    },
    async rewind(prompt) {
      terminal.press('Escape', 'Escape');
      await terminal.shows('(current)');
      const chosen = (): string | undefined => /^ {3}❯ (.+)$/m.exec(terminal.screen())?.[1]?.trim();
      while (chosen() !== prompt) {
        const before = chosen();
        terminal.press('Up');
        await terminal.until(() => chosen() !== before, `no prompt "${prompt}" to go back to`);
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
  };
};
