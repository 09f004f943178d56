import { resolve } from 'node:path';

/** Tools that change the file they name, and nothing else. */
const EDITING: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/**
 * Tools that change no file of the workspace by themselves. Those that send a subagent are among them: what it does is told step by
 * step. A tool that is not known to be harmless may do anything.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  'Agent',
  'AskUserQuestion',
  'BashOutput',
  'EnterPlanMode',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'LS',
  'NotebookRead',
  'Read',
  'Task',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
]);

/** The file that an edit tool names, by absolute path. */
export const editedFiles = (tool: string | undefined, input: unknown, directory: string): string[] => {
  if (tool === undefined || !EDITING.has(tool) || typeof input !== 'object' || input === null) return [];
  const { file_path, notebook_path } = input as Record<string, unknown>;
  const named = [file_path, notebook_path].find((path) => typeof path === 'string' && path !== '') as string | undefined;
  // A name with a zero byte names nothing.
  return named === undefined || named.includes('\0') ? [] : [resolve(directory, named)];
};

/** All that a tool can change; undefined when that may be anything. */
export const touchedFiles = (tool: string | undefined, input: unknown, directory: string): string[] | undefined => {
  if (tool !== undefined && HARMLESS.has(tool)) return [];
  const edited = editedFiles(tool, input, directory);
  return edited.length === 0 ? undefined : edited;
};
