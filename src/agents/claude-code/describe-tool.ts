import { basename } from 'node:path';

/** One line about a tool call: "Edit cart.ts", "Bash: npm test". */
export const describeTool = (name: string, input: unknown): string => {
  const tool = firstLine(name);
  const text = (key: string): string | undefined => {
    const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const file = text('file_path') ?? text('notebook_path');
  if (file !== undefined) return `${tool} ${firstLine(basename(file))}`;
  const words = text('command') ?? text('description') ?? text('pattern') ?? text('url') ?? text('query');
  return words === undefined ? tool : `${tool}: ${allLines(words)}`;
};

const LONGEST = 200;

const cut = (line: string): string => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`);

export const firstLine = (text: string): string => cut(text.trim().split('\n', 1)[0] ?? '');

/** A command may say what matters in its second line. */
const allLines = (text: string): string => cut(text.trim().replaceAll(/\s*\n\s*/g, ' ⏎ '));
