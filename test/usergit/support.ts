import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type ByteString, fromText, type RelativePath } from '../../src/model/index.ts';
import { findRepository, type UserRepository } from '../../src/usergit/index.ts';

const base = mkdtempSync(join(tmpdir(), 'retake-usergit-'));
const home = join(base, 'home');
mkdirSync(home);
afterAll(() => rmSync(base, { recursive: true, force: true }));

// The room under test reads the user's configuration: for its git processes too, the user is this one.
process.env.HOME = home;
delete process.env.XDG_CONFIG_HOME;

export const HOME = home;

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** The user's own git. */
export const git = (cwd: string, args: readonly string[], input?: string | Uint8Array): Buffer =>
  execFileSync('git', args, { cwd, env: ENVIRONMENT, input: input ?? '', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 2 ** 30 });

export const gitText = (cwd: string, ...args: string[]): string => git(cwd, args).toString().trimEnd();

let count = 0;

export const newDirectory = (): string => {
  const directory = join(base, `d${count++}`);
  mkdirSync(directory);
  return directory;
};

export const newRepository = (...options: string[]): string => {
  const directory = newDirectory();
  git(directory, ['init', '--quiet', '--initial-branch=main', ...options]);
  return directory;
};

export const write = (directory: string, files: Record<string, string | Uint8Array>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
};

export const commitAll = (directory: string): string => {
  git(directory, ['add', '--all']);
  git(directory, ['commit', '--quiet', '--allow-empty', '--message=x']);
  return gitText(directory, 'rev-parse', 'HEAD');
};

export const repositoryOf = (directory: string): UserRepository => {
  const found = findRepository(fromText(directory));
  if (found === undefined) throw new Error(`no repository at ${directory}`);
  return found;
};

export const path = (text: string): RelativePath => fromText(text) as RelativePath;
export const bytes = (text: string): ByteString => fromText(text);

export const makeFifo = (at: string): Buffer => execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', at]);

/** One word for everything below a directory: names, types, modes, times and contents. */
export const fingerprint = (directory: string): string => {
  const hash = createHash('sha1');
  const visit = (at: string): void => {
    const stat = lstatSync(at);
    hash.update(JSON.stringify([at, stat.mode, stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino]));
    if (stat.isSymbolicLink()) hash.update(readlinkSync(at));
    if (stat.isFile()) hash.update(readFileSync(at));
    if (stat.isDirectory()) for (const name of readdirSync(at).sort()) visit(join(at, name));
  };
  visit(directory);
  return hash.digest('hex');
};
