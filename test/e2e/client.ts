import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';
import { claudeProgram } from './claude-package.ts';
import { settingsFile } from './hooks.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const KEY = 'key-for-the-model-on-loopback';
/** Exactly these may run without a question. */
const PERMISSIONS = { allow: ['Read', 'Write', 'Edit', 'NotebookEdit', 'Bash', 'Agent'] };
/** The mode that judges by itself would need the real service for that. */
const MODE = ['--permission-mode', 'default'];

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Talk extends Ended {
  readonly session: string;
}

/** The real Claude Code, at home in a directory of its own, that asks the model at an address. */
export interface Client {
  /** One prompt without a terminal. */
  print(prompt: string, ...args: string[]): Promise<Ended>;
  /** A session of several prompts without a terminal, in one process; each waits for the answer to the one before. */
  talk(prompts: readonly string[], options?: { readonly session?: string; readonly args?: readonly string[] }): Promise<Talk>;
  /** A line for the shell in which `claude` is the client, as Retake hands it out. */
  shell(line: string): Promise<Ended>;
  /** The client as people see it, ready for a prompt. */
  open(...args: string[]): Promise<Terminal>;
}

export interface ClientOptions {
  readonly workspace: string;
  readonly model: string;
  /** Its `HOME` is where the client keeps everything. */
  readonly env: Readonly<Record<string, string>>;
}

export const clientIn = ({ workspace, model, env: given }: ClientOptions): Client => {
  const program = claudeProgram();
  const commands = temporaryDirectory();
  symlinkSync(program, join(commands, 'claude'));
  const env = {
    ...given,
    PATH: `${commands}:${given.PATH}`,
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm-256color',
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Its patience with the last hooks is short, and the machine may be busy.
    CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '60000',
  };
  moveIn(given.HOME ?? '', workspace);
  const start = (command: string, args: readonly string[]) => {
    const child = spawn(command, args, { cwd: workspace, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.on('error', () => {});
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    return { child, ended };
  };

  const run = (command: string, ...args: string[]): Promise<Ended> => {
    const { child, ended } = start(command, args);
    child.stdin.end();
    return ended;
  };

  return {
    print: (prompt, ...args) => run(program, '-p', prompt, ...MODE, ...args),
    shell: (line) => run('sh', '-c', line),
    async talk(prompts, { session = randomUUID(), args = [] } = {}) {
      const streams = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
      const { child, ended } = start(program, [...streams, ...MODE, '--session-id', session, ...args]);
      const waiting = [...prompts];
      const sendNext = (): void => {
        const content = waiting.shift();
        if (content === undefined) child.stdin.end();
        else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
      };
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (isResult(line)) sendNext();
      });
      sendNext();
      return { ...(await ended), session };
    },
    async open(...args) {
      const terminal = await openTerminal([program, ...MODE, ...args], { directory: workspace, env });
      await terminal.shows('❯');
      return terminal;
    },
  };
};

const isResult = (line: string): boolean => {
  try {
    return JSON.parse(line).type === 'result';
  } catch {
    return false;
  }
};

/** As if somebody had answered the questions of a first start: theme, key, trust in the workspace. */
const moveIn = (home: string, workspace: string): void => {
  const file = join(home, '.claude.json');
  if (existsSync(file)) return;
  mkdirSync(join(home, '.claude'), { recursive: true });
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  const answers = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '9.9.9',
    theme: 'dark',
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [workspace]: project },
  };
  writeFileSync(file, JSON.stringify(answers));
  writeFileSync(settingsFile(home), JSON.stringify({ permissions: PERMISSIONS }));
};
