import type { DatabaseSync } from 'node:sqlite';

export type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/**
 * Opens a database. node:sqlite is loaded here and nowhere else, on first use: it costs start-up time, and in some
 * releases of Node it announces on stderr that it is experimental, which is no news for our users.
 */
export const openDatabase = (path: string, options: { timeout?: number } = {}): DatabaseSync => {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return new DatabaseSync(path, { timeout: options.timeout ?? 0 });
  } finally {
    process.emitWarning = emitWarning;
  }
};
