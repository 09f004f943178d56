import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hermeticEnvironment } from '../support/git.ts';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { omitted, put, type Scene, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { exported, importedElsewhere } from './other-machine.ts';
import { playRichSession, SECRET, SECRETS } from './rich-session.ts';

const LONG = 1_800_000;

/** All bytes of a file, packed or not: of what is beside the bundle, and of each object in it. */
const allBytes = (file: string): Buffer => {
  const folder = temporaryDirectory();
  const run = (program: string, input: Buffer | undefined, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, env: hermeticEnvironment('/nonexistent'), maxBuffer: 2 ** 28, ...(input && { input }) });
  run('tar', undefined, '-xf', file);
  run('git', undefined, 'clone', '-q', '--mirror', 'operations.bundle', 'operations.git');
  const objects = run('git', undefined, '--git-dir', 'operations.git', 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  return Buffer.concat([readFileSync(file), run('git', objects, '--git-dir', 'operations.git', 'cat-file', '--batch')]);
};

const found = (bytes: Buffer): string[] => SECRETS.filter((secret) => bytes.includes(secret));

const omissionsOf = ({ workspace, retake }: Scene, id: string): string[] => omitted(retake.json(workspace, 'show', id));

test('[STO-4] excluded files are nowhere in the file, are told of, and stay where they are when the session is gone to', {
  timeout: LONG,
}, async () => {
  const { at, session } = await playRichSession();
  const { workspace, retake } = at;
  const store = observeDirectory(storeOf(at));
  expect(found(allBytes(exported(at, session.id, '--no-conversation'))), 'by default .env*').toEqual([]);
  const said = retake.run(workspace, 'export', session.id, '--output', join(temporaryDirectory(), 'x.tar'));
  expect(said.stdout).toMatch(/^ {2}\.env$/m);
  expect(said.stdout).toMatch(/^ {2}src\/deep\/\.env\.production$/m);
  expect(said.stdout).toMatch(/\/\.env\.local$/m);
  expect(said.stderr).toContain('--no-conversation');

  const file = exported(at, session.id);
  // Operations as they are exported are nobody's in the store: a repair could take them for lost ones.
  expect(observeDirectory(storeOf(at))).toEqual(store);
  const elsewhere = importedElsewhere(file);
  const there = (...args: string[]) => elsewhere.retake.json(elsewhere.workspace, ...args);
  put(elsewhere.workspace, '.env', 'MINE=1');
  put(elsewhere.workspace, 'src/deep/.env.production', 'MINE=2', 0o600);
  put(elsewhere.workspace, 'src/other.ts', 'other');
  const before = observeWorkspace(elsewhere.workspace);
  expect(there('show', 'good')).toMatchObject({ status: 'partial' });
  expect(omissionsOf(elsewhere, 'good')).toEqual(['.env not-exported', 'src/deep/.env.production not-exported']);
  there('rewind', 'good', '--yes');
  const after = observeWorkspace(elsewhere.workspace);
  for (const path of ['.env', 'src/deep/.env.production']) expect(after.get(path), path).toBe(before.get(path));
  expect(after.has('src/other.ts')).toBe(false);
  expect(readFileSync(join(elsewhere.workspace, 'src/page.ts'), 'utf8')).toContain('page = 2');
  there('undo', '--yes');
  expect(observeWorkspace(elsewhere.workspace)).toEqual(before);
});

test('[STO-4] what is excluded is a choice: whole folders, rules of git too, or nothing', { timeout: LONG }, async () => {
  const { at, session } = await playRichSession({ RETAKE_EXPORT_EXCLUDE: '["src/", ".gitignore", "/private/*.txt", "notes.txt"]' });
  const bytes = allBytes(exported(at, session.id, '--no-conversation'));
  expect(bytes.includes('export const page'), 'src/').toBe(false);
  expect(bytes.includes('ignored/\n.env'), '.gitignore').toBe(false);
  expect(bytes.includes('not so secret'), 'private/*.txt').toBe(false);
  expect(bytes.includes('outside\n'), 'notes.txt').toBe(false);
  expect(bytes.includes(SECRET), 'no longer a pattern').toBe(true);
  const elsewhere = importedElsewhere(exported(at, session.id));
  // Without the rules nobody knows what was ignored: nothing may be taken for absent.
  put(elsewhere.workspace, 'ignored/here', 'precious');
  put(elsewhere.workspace, 'anything', 'precious');
  elsewhere.retake.json(elsewhere.workspace, 'rewind', 'good', '--yes');
  expect(readFileSync(join(elsewhere.workspace, 'ignored/here'), 'utf8')).toBe('precious');
  expect(readFileSync(join(elsewhere.workspace, 'anything'), 'utf8')).toBe('precious');
  expect(elsewhere.retake.json(elsewhere.workspace, 'check').damage).toEqual([]);
});
