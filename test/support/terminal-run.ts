import { spawn } from 'node:child_process';

export interface TerminalRun {
  /** Everything that came to the screen, carriage returns and colours included. */
  readonly shown: string;
  readonly code: number;
}

interface TerminalSize {
  readonly rows?: number;
  readonly columns?: number;
}

export interface TerminalCommand extends TerminalSize {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Told all that was shown so far; what it answers is typed. */
  readonly onShown?: (shown: string) => string | undefined;
}

/** Runs a command line of the shell in a terminal of its own, to its end. */
export const runInTerminal = (
  command: string,
  { directory, env, rows = 24, columns = 80, onShown }: TerminalCommand,
): Promise<TerminalRun> =>
  new Promise((resolve, reject) => {
    const line = `stty rows ${rows} cols ${columns}; ${command}`;
    const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: directory, env: { TERM: 'xterm', ...env } });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk;
      const typed = onShown?.(shown);
      if (typed !== undefined) child.stdin.write(typed);
    });
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => resolve({ shown, code: code ?? -1 }));
  });
