import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { TestPrograms } from '../support/bundle.ts';
import type { CommandReply } from '../support/command-server.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { memoryDirectory } from '../support/memory.ts';

const SERVER = join(import.meta.dirname, '../support/command-server.ts');

/** Hundreds of copies are made here, for which a disk would take minutes. */
const newTop = (): string => {
  const path = realpathSync(mkdtempSync(join(memoryDirectory(), 'retake-crash-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

export interface Ended extends CommandReply {
  readonly signal: NodeJS.Signals | null;
}

/**
 * A workspace and a data directory at a fixed place, put back to what they were before each kill. Several arenas work
 * side by side; each is prepared by itself, because the store of a workspace is found by its absolute path.
 */
export class Arena {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #top: string;
  readonly #programs: TestPrograms;
  readonly #server: ChildProcess;
  #copies = 0;
  /** What runs the program, when it is not to be started directly. */
  through: readonly string[] = [];
  /** What is run: the command line, or the recorder of events. */
  program: 'faulty' | 'recorder' = 'faulty';

  private constructor(top: string, programs: TestPrograms, extra: Readonly<Record<string, string>>) {
    this.#top = top;
    this.#programs = programs;
    this.workspace = join(top, 'now/workspace');
    mkdirSync(this.workspace, { recursive: true });
    const home = join(top, 'now/home');
    this.env = { ...hermeticEnvironment(home), ...programs.env, RETAKE_HOME: join(home, 'retake'), ...extra };
    this.#server = fork(SERVER, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  static async open(extra: Readonly<Record<string, string>> = {}): Promise<Arena> {
    const arena = new Arena(newTop(), inject('programs'), extra);
    onTestFinished(() => void arena.#server.kill());
    return arena;
  }

  /** From now on a `reset` to this name leads here. */
  save(name = 'saved'): void {
    this.#copy('now', name);
  }

  reset(name = 'saved'): void {
    this.#copy(name, 'now');
  }

  /** Runs the program in a process of its own, killed before the effect with this number; 0 lets it live. */
  async run(killAt: number, args: readonly string[], seed = args.join(' ')): Promise<Ended> {
    return this.#spawn({ RETAKE_TEST_KILL_AT: String(killAt), RETAKE_TEST_SEED: seed }, args);
  }

  /** The effects of a whole run. */
  async trace(args: readonly string[], seed = args.join(' ')): Promise<{ effects: string[]; ended: Ended }> {
    const file = join(this.#top, 'trace');
    const ended = await this.#spawn({ RETAKE_TEST_TRACE_TO: file, RETAKE_TEST_SEED: seed }, args);
    return { effects: readFileSync(file, 'utf8').split('\n'), ended };
  }

  /** Runs one more command line in a process that lives on: cheaper, for what is asked very often. */
  async ask(...args: string[]): Promise<CommandReply> {
    const reply = once(this.#server, 'message') as Promise<[CommandReply]>;
    this.#server.send({ number: 0, directory: this.workspace, env: this.env, args });
    return (await reply)[0];
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.ask(...args, '--json');
    if (code !== 0) throw new Error(`retake ${args.join(' ')} exited ${code}\n${stdout}${stderr}`);
    return JSON.parse(stdout);
  }

  #copy(from: string, to: string): void {
    const trash = join(this.#top, `trash-${this.#copies++}`);
    try {
      renameSync(join(this.#top, to), trash);
      rmSync(trash, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    execFileSync('cp', ['-a', join(this.#top, from), join(this.#top, to)]);
  }

  #spawn(variables: Record<string, string>, args: readonly string[]): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const env = { ...this.env, ...variables };
      const [program = '', ...rest] = [...this.through, process.execPath, this.#programs[this.program], ...args];
      const child = spawn(program, rest, { cwd: this.workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => (stdout += chunk));
      child.stderr.on('data', (chunk) => (stderr += chunk));
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, stdout, stderr }));
    });
  }
}
