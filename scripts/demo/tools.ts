import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type DemoPlace, demoEnvironment } from './place.ts';

/** A tool call of an agent: what is asked for, and who really does it. */
export interface ToolCall {
  readonly name: 'Bash' | 'Edit' | 'Read' | 'Write';
  readonly input: Readonly<Record<string, unknown>>;
  /** For people, in a line. */
  readonly title: string;
  readonly perform: () => ToolResult;
}

export interface ToolResult {
  /** What the model is told. */
  readonly content: string;
  /** What the client keeps of it. */
  readonly response: unknown;
  readonly isError: boolean;
}

/** The tools of Claude Code that the story uses. They do what they say, so that the session and the disk agree. */
export const toolsAt = (place: DemoPlace) => {
  const absolute = (path: string): string => join(place.shop, path);
  const done = (content: string, response: unknown): ToolResult => ({ content, response, isError: false });

  const read = (path: string): ToolCall => {
    const filePath = absolute(path);
    return {
      name: 'Read',
      input: { file_path: filePath },
      title: `Read ${path}`,
      perform: () => {
        const content = readFileSync(filePath, 'utf8');
        const numbered = content
          .trimEnd()
          .split('\n')
          .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
        return done(numbered.join('\n'), { type: 'text', file: { filePath, content } });
      },
    };
  };

  const write = (path: string, content: string): ToolCall => {
    const filePath = absolute(path);
    return {
      name: 'Write',
      input: { file_path: filePath, content },
      title: `Write ${path}`,
      perform: () => {
        const type = existsSync(filePath) ? 'update' : 'create';
        mkdirSync(dirname(filePath), { recursive: true });
        writeFileSync(filePath, content);
        return done(`File ${type}d successfully at: ${filePath}`, { type, filePath, content, structuredPatch: [] });
      },
    };
  };

  const edit = (path: string, oldString: string, newString: string): ToolCall => {
    const filePath = absolute(path);
    return {
      name: 'Edit',
      input: { file_path: filePath, old_string: oldString, new_string: newString, replace_all: false },
      title: `Edit ${path}`,
      perform: () => {
        const before = readFileSync(filePath, 'utf8');
        if (before.split(oldString).length !== 2) throw new Error(`the story edits what is not once in ${path}: ${oldString}`);
        writeFileSync(
          filePath,
          before.replace(oldString, () => newString),
        );
        const response = { filePath, oldString, newString, originalFile: before, replaceAll: false, userModified: false };
        return done(`The file ${filePath} has been updated successfully.`, response);
      },
    };
  };

  const bash = (command: string, description: string): ToolCall => ({
    name: 'Bash',
    input: { command, description },
    title: `Bash  ${command}`,
    perform: () => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: place.shop,
        env: demoEnvironment(place),
        encoding: 'utf8',
      });
      const content = `${stdout}${stderr}`.trimEnd().replaceAll(place.shop, relative(place.root, place.shop));
      const response = { stdout, stderr, interrupted: false, isImage: false };
      return { content: status === 0 ? content : `Exit code ${status}\n${content}`, response, isError: status !== 0 };
    },
  });

  return { read, write, edit, bash };
};
