import { execFileSync } from 'node:child_process';
import type { Checkpoint } from '../../src/model/index.ts';
import { hermeticEnvironment } from '../support/git.ts';
import type { Scene } from '../support/scene.ts';

/** The events of one Claude Code session, as its hooks are told them. */
export class Conversation {
  readonly #common: Readonly<Record<string, string>>;

  constructor(session: string, directory: string) {
    this.#common = { session_id: session, cwd: directory, transcript_path: '/nowhere', permission_mode: 'default' };
  }

  say(name: string, fields: Readonly<Record<string, unknown>> = {}): string {
    return JSON.stringify({ ...this.#common, hook_event_name: name, ...fields });
  }

  start(source = 'startup'): string {
    return this.say('SessionStart', { source });
  }
  prompt(id: string, prompt: string): string {
    return this.say('UserPromptSubmit', { prompt_id: id, prompt });
  }
  before(id: string, tool = 'Edit', input: unknown = {}, more: Readonly<Record<string, unknown>> = {}): string {
    return this.say('PreToolUse', { tool_use_id: id, tool_name: tool, tool_input: input, ...more });
  }
  after(id: string, tool = 'Edit', input: unknown = {}, more: Readonly<Record<string, unknown>> = {}): string {
    return this.say('PostToolUse', { tool_use_id: id, tool_name: tool, tool_input: input, tool_response: {}, ...more });
  }
  failed(id: string, tool = 'Edit', input: unknown = {}): string {
    return this.say('PostToolUseFailure', { tool_use_id: id, tool_name: tool, tool_input: input, error: 'it did not work' });
  }
  stop(lastMessage = 'done'): string {
    return this.say('Stop', { stop_hook_active: false, last_assistant_message: lastMessage });
  }
  end(reason = 'exit'): string {
    return this.say('SessionEnd', { reason });
  }
}

export interface LoggedCheckpoint extends Checkpoint {
  readonly id: string;
  /** The id of the `files` tree. */
  readonly files: string;
}

/** The log of the workspace as plain git finds it, oldest first. */
export const operationsOf = ({ workspace, retake }: Scene): LoggedCheckpoint[] => {
  // Looking puts everything in its place that was only written down.
  const { store } = retake.json(workspace, 'status');
  return operationsIn(store);
};

const gitOf = (store: string, input: string, ...args: string[]): Buffer =>
  execFileSync('git', ['--git-dir', store, ...args], { input, env: hermeticEnvironment('/nonexistent'), maxBuffer: 2 ** 30 });

export const operationsIn = (store: string): LoggedCheckpoint[] => {
  const listed = gitOf(store, '', 'for-each-ref', '--format=%(objectname)%00%(contents)%00', 'refs/retake/ops').toString().split('\0\n');
  const operations = listed
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('\0') as [string, string])
    .map(([id, message]) => ({ id, ...(JSON.parse(message.trimEnd().split('\n').at(-1) ?? '') as Checkpoint) }))
    .sort((a, b) => a.sequence - b.sequence);
  const names = operations.map(({ id }) => `${id}:files\n`).join('');
  const trees = gitOf(store, names, 'cat-file', '--batch-check=%(objectname)').toString().split('\n');
  return operations.map((operation, index) => ({ ...operation, files: trees[index] ?? '' }));
};

/** What an operation holds at a path. */
export const contentAt = ({ retake, workspace }: Scene, id: string, path: string): string =>
  gitOf(retake.store(workspace), '', 'cat-file', 'blob', `${id}:files/${path}`).toString();

/** What each operation holds at a path of its own, for short contents of one line. */
export const contentsAt = (store: string, places: readonly { readonly id: string; readonly path: string }[]): string[] => {
  const names = places.map(({ id, path }) => `${id}:files/${path}\n`).join('');
  const lines = gitOf(store, names, 'cat-file', '--batch').toString().split('\n');
  return places.map((_, index) => lines[index * 2 + 1] ?? '');
};
