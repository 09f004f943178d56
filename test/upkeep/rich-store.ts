import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { Workspace } from '../../src/engine/index.ts';
import { retakeIn } from '../support/cli.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { memoryDirectory } from '../support/memory.ts';
import { put, type Scene, storeOf } from '../support/scene.ts';

/** A store with loose and packed content and refs, which is copied before each harm: making one takes seconds. */
export class RichStore implements Scene {
  readonly workspace: string;
  readonly retake: Scene['retake'];
  /** Everything about the workspace. */
  readonly data: string;
  /** The operations of the log, and for each the ids of all objects that it needs. */
  readonly needs = new Map<string, readonly string[]>();
  readonly #top: string;
  readonly #pristine: string;

  constructor() {
    // Hundreds of copies are made.
    this.#top = realpathSync(mkdtempSync(join(memoryDirectory(), 'retake-rich-')));
    afterAll(() => rmSync(this.#top, { recursive: true, force: true }));
    this.workspace = join(this.#top, 'workspace');
    this.#pristine = join(this.#top, 'pristine');
    this.retake = retakeIn(join(this.#top, 'home'));
    put(this.workspace, 'src/steady.txt', lines(0, 200));
    this.#record();
    this.data = dirname(storeOf(this));
    cpSync(this.data, this.#pristine, { recursive: true, preserveTimestamps: true });
    for (const id of git(this.store, 'for-each-ref', '--format=%(objectname)', 'refs/retake/ops')) {
      this.needs.set(id, [id, ...git(this.store, 'rev-list', '--objects', '--no-object-names', `${id}^{tree}`)]);
    }
  }

  get store(): string {
    return join(this.data, 'store.git');
  }

  /** Puts the data directory back to what it was. */
  reset(): void {
    rmSync(this.data, { recursive: true, force: true });
    cpSync(this.#pristine, this.data, { recursive: true, preserveTimestamps: true });
  }

  /** The files of a kind, from the data directory on. */
  files(kind: HarmedKind): string[] {
    const all = readdirSync(this.#pristine, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(this.#pristine, name)).isFile(),
    );
    return all.filter((name) => KINDS[kind].test(name)).sort();
  }

  async opened<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
    process.env.RETAKE_HOME = this.retake.home;
    const workspace = await Workspace.open({ directory: this.workspace, asIs: true });
    try {
      return await work(workspace);
    } finally {
      workspace.close();
    }
  }

  #record(): void {
    const { retake, workspace } = this;
    const checkpoint = (name: string): string => retake.json(workspace, 'checkpoint', '--name', name).id;
    put(workspace, 'src/deep/er/leaf.txt', 'leaf\n');
    put(workspace, 'run.sh', '#!/bin/sh\n', 0o755);
    put(workspace, 'secret', 'hidden\n', 0o600);
    const first = checkpoint('first');
    for (const number of [1, 2, 3]) {
      put(workspace, 'src/steady.txt', lines(number, 200));
      put(workspace, `src/deep/new-${number}.bin`, createHash('sha512').update(String(number)).digest());
      checkpoint(`packed ${number}`);
    }
    retake.json(workspace, 'gc');
    put(workspace, 'src/steady.txt', lines(9, 200));
    const removed = checkpoint('to be deleted');
    retake.json(workspace, 'delete', removed);
    retake.json(workspace, 'rewind', first, '--yes');
    retake.json(workspace, 'note', first, 'where it began');
    put(workspace, 'after/rollback.txt', 'loose\n');
    checkpoint('loose');
    // What is on disk now is in no checkpoint, and what was is not on disk: a repair has only the store to rely on.
    for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
    put(workspace, 'unrelated', 'never recorded\n');
  }
}

const lines = (changed: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `line ${at === changed * 10 ? `changed ${changed}` : createHash('sha1').update(String(at)).digest('hex')}\n`,
  ).join('');

const KINDS = {
  loose: /^store[.]git\/objects\/[0-9a-f]{2}\//,
  pack: /[.]pack$/,
  'pack-index': /[.]idx$/,
  ref: /^store[.]git\/refs\/retake\//,
  'packed-refs': /packed-refs$/,
  last: /refs\/heads\/last$/,
  config: /^store[.]git\/config$/,
  database: /^index[.]db$/,
} as const;

export type HarmedKind = keyof typeof KINDS;
export const HARMED_KINDS = Object.keys(KINDS) as HarmedKind[];

const git = (store: string, ...args: string[]): string[] =>
  execFileSync('git', ['--git-dir', store, ...args], { env: hermeticEnvironment('/nonexistent'), stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .split('\n')
    .filter((line) => line !== '');

/** Of some objects those that git can't read from a store, whatever state its refs and configuration are in, or that are not what their ids say. */
export const unreadableByGit = (store: string, ids: readonly string[]): Set<string> => {
  const elsewhere = join(dirname(store), 'oracle.git');
  if (!existsSync(elsewhere))
    execFileSync('git', ['init', '-q', '--bare', '--template=', elsewhere], { env: hermeticEnvironment('/nonexistent') });
  const env = { ...hermeticEnvironment('/nonexistent'), GIT_OBJECT_DIRECTORY: join(store, 'objects') };
  const bad = new Set<string>();
  let asked = ids.filter((id) => id !== EMPTY_TREE);
  while (asked.length > 0) {
    const { stdout } = spawnSync('git', ['--git-dir', elsewhere, 'cat-file', '--batch'], {
      env,
      input: asked.map((id) => `${id}\n`).join(''),
    });
    let answered = 0;
    for (let at = 0; at < stdout.length; answered++) {
      const id = asked[answered] as string;
      const end = stdout.indexOf('\n', at);
      const [, type, size] = stdout.toString('latin1', at, end).split(' ');
      const next = end + 1 + (type === 'missing' ? 0 : Number(size) + 1);
      // It dies at an object that is damaged, perhaps in the middle of telling it.
      if (next > stdout.length) break;
      const content = stdout.subarray(end + 1, next - 1);
      if (type === 'missing' || createHash('sha1').update(`${type} ${size}\0`).update(content).digest('hex') !== id) bad.add(id);
      at = next;
    }
    if (answered < asked.length) bad.add(asked[answered] as string);
    asked = asked.slice(answered + 1);
  }
  rmSync(elsewhere, { recursive: true });
  return bad;
};

/** git and we know it by heart. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export const write = (path: string, bytes: Buffer): void => {
  rmSync(path);
  writeFileSync(path, bytes);
};
