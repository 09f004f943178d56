import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hermeticEnvironment } from './git.ts';

const git = (store: string, ...args: string[]): Buffer =>
  execFileSync('git', ['--git-dir', store, ...args], {
    env: hermeticEnvironment('/nonexistent'),
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });

/** What plain git thinks of the store; lines about dangling objects are no alarm. */
export const fsck = (store: string): { code: number | null; alarms: string[] } => {
  const { status, stdout, stderr } = spawnSync('git', ['--git-dir', store, 'fsck', '--full', '--strict'], {
    env: hermeticEnvironment('/nonexistent'),
    encoding: 'utf8',
  });
  const lines = `${stdout}\n${stderr}`.split('\n');
  return { code: status, alarms: lines.filter((line) => line !== '' && !/^(dangling|unreachable|notice|Checking|Verifying)\b/.test(line)) };
};

export interface StoredEntry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
}

/** Everything below `files` of an operation, by path in bytes (latin1), directories included. */
export const storedEntries = (store: string, operation: string): Map<string, StoredEntry> => {
  const entries = new Map<string, StoredEntry>();
  for (const line of git(store, 'ls-tree', '-r', '-t', '-z', `${operation}:files`).toString('latin1').split('\0')) {
    const [, mode = '', type = '', id = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (path !== '') entries.set(path, { mode, type, id });
  }
  return entries;
};

/** The bytes that an operation holds at a path. */
export const storedBytes = (store: string, operation: string, path: string): Buffer => {
  const entry = storedEntries(store, operation).get(path);
  if (entry === undefined) throw new Error(`${operation} does not hold ${path}`);
  return git(store, 'cat-file', 'blob', entry.id);
};

/** The ids of all operations, oldest first. */
export const operationIds = (store: string): string[] =>
  git(store, 'for-each-ref', '--sort=refname', '--format=%(objectname)', 'refs/retake/ops').toString().split('\n').filter(Boolean);

export const looseFile = (store: string, id: string): string => join(store, 'objects', id.slice(0, 2), id.slice(2));

/** Flips one bit in the middle of a stored object, wherever it lies. */
export const flipBit = (store: string, id: string): void => {
  const { file, middle } = whereIs(store, id);
  const bytes = readFileSync(file);
  bytes[middle] = (bytes[middle] as number) ^ 0x10;
  chmodSync(file, 0o600);
  writeFileSync(file, bytes);
};

const whereIs = (store: string, id: string): { file: string; middle: number } => {
  const loose = looseFile(store, id);
  if (existsSync(loose)) return { file: loose, middle: Math.floor(readFileSync(loose).length / 2) };
  const directory = join(store, 'objects', 'pack');
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.idx'))) {
    const listing = git(store, 'verify-pack', '-v', join(directory, name)).toString();
    const [, size, offset] = new RegExp(`^${id} \\w+ +\\d+ (\\d+) (\\d+)`, 'm').exec(listing) ?? [];
    if (offset !== undefined)
      return { file: join(directory, name.replace(/idx$/, 'pack')), middle: Number(offset) + Math.floor(Number(size) / 2) };
  }
  throw new Error(`the store does not hold ${id}`);
};
