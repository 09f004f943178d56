import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What is on disk, by path in bytes (latin1): the truth that rollbacks are measured against. */
export type Oracle = Map<string, string>;

export interface OracleOptions {
  /** Paths (from the root, latin1) that are not looked at. */
  readonly without?: (path: string) => boolean;
  readonly mtimes?: boolean;
}

/** Every path with type, permission bits and content; `.git` directories are left out unless asked for by root. */
export const observeDirectory = (root: string, options: OracleOptions = {}): Oracle => {
  const found: Oracle = new Map();
  const visit = (directory: Buffer, relative: string): void => {
    for (const name of readdirSync(directory, { encoding: 'latin1' }).sort()) {
      const path = relative === '' ? name : `${relative}/${name}`;
      if (options.without?.(path)) continue;
      const absolute = Buffer.concat([directory, Buffer.from(`/${name}`, 'latin1')]);
      const stat = lstatSync(absolute);
      const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
      const time = options.mtimes ? ` ${stat.mtimeMs}` : '';
      if (stat.isDirectory()) {
        found.set(path, `directory ${mode}`);
        visit(absolute, path);
      } else if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(absolute, { encoding: 'latin1' })}`);
      else if (stat.isFile()) found.set(path, `file ${mode} ${digest(readFileSync(absolute))}${time}`);
      else found.set(path, `other ${mode}`);
    }
  };
  visit(Buffer.from(root), '');
  return found;
};

/** The workspace as a rollback should restore it: without what is inside `.git` directories. */
export const observeWorkspace = (root: string, options: OracleOptions = {}): Oracle =>
  observeDirectory(root, { ...options, without: (path) => /(^|\/)\.git(\/|$)/.test(path) || (options.without?.(path) ?? false) });

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
