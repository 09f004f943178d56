import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBundleHeader } from '../../src/engine/exchange/bundle-header.ts';
import { TarWriter } from '../../src/engine/exchange/tar-writer.ts';
import type { OperationId } from '../../src/model/index.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** An operation of an export, to be changed. */
export interface Forgery {
  ref: string;
  // biome-ignore lint/suspicious/noExplicitAny: anything may be forged
  operation: any;
  /** Of its tree, as `git mktree` reads it. */
  tree: string;
}

/** An export taken apart. What is changed in it is consistent again when it is put together: hashes and all. */
export class Forge {
  readonly folder = temporaryDirectory();
  readonly operations: Forgery[];
  // biome-ignore lint/suspicious/noExplicitAny: anything may be forged
  readonly manifest: any;
  /** Refs of other kinds, by name. */
  readonly moreRefs = new Map<string, string>();
  /** Of the pack, before it goes into the file. */
  spoil: (pack: Buffer) => Buffer = (pack) => pack;
  /** The JSON of an operation, before it is written. */
  spell: (json: string) => string = (json) => json;

  constructor(file: string) {
    execFileSync('tar', ['-xf', file], { cwd: this.folder });
    this.#run(undefined, 'clone', '-q', '--mirror', 'operations.bundle', 'operations.git');
    this.manifest = JSON.parse(readFileSync(join(this.folder, 'manifest.json'), 'utf8'));
    const refs = this.git(undefined, 'for-each-ref', '--format=%(refname)', 'refs/retake/ops').trimEnd().split('\n');
    this.operations = refs.map((ref) => ({
      ref,
      operation: JSON.parse(this.git(undefined, 'log', '-1', '--format=%B', ref).trimEnd().split('\n').at(-1) ?? ''),
      tree: this.git(undefined, 'ls-tree', ref),
    }));
  }

  git(input: string | Buffer | undefined, ...args: string[]): string {
    return this.#run(input, '--git-dir', 'operations.git', ...args).toString();
  }

  blob(content: string): string {
    return this.git(content, 'hash-object', '-w', '--stdin').trim();
  }

  /** A tree that git itself would not make. */
  rawTree(entries: readonly { mode: string; name: string; id: string }[]): string {
    const bytes = entries.map(({ mode, name, id }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]));
    return this.git(Buffer.concat(bytes), 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin').trim();
  }

  /** The first operation of a kind. */
  find(kind: string): Forgery {
    const found = this.operations.find(({ operation }) => operation.kind === kind);
    if (found === undefined) throw new Error(`there is no ${kind}`);
    return found;
  }

  async file(): Promise<string> {
    const refs = this.operations.map(({ ref, operation, tree }) => {
      const top = this.git(tree, 'mktree', '--missing').trim();
      return [ref, this.git(`forged\n\n${this.spell(JSON.stringify(operation))}\n`, 'commit-tree', top).trim() as OperationId] as const;
    });
    const more = [...this.moreRefs].map(([name, id]) => [name, id as OperationId] as const);
    const ids = refs.map(([, id]) => `${id}\n`).join('');
    const list = this.git(ids, 'rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--stdin');
    const pack = this.spoil(this.#run(list, '--git-dir', 'operations.git', 'pack-objects', '--stdout', '-q'));
    const path = join(this.folder, 'forged.tar');
    const tar = new TarWriter(path);
    await tar.add('README.txt', (write) => write(Buffer.from('forged')));
    await tar.add('operations.bundle', (write) => write(Buffer.concat([encodeBundleHeader([...refs, ...more]), pack])));
    const manifest = { ...this.manifest, conversation: null, files: tar.members };
    await tar.add('manifest.json', (write) => write(Buffer.from(JSON.stringify(manifest))));
    tar.finish('process');
    return path;
  }

  #run(input: string | Buffer | undefined, ...args: string[]): Buffer {
    const env = hermeticEnvironment('/nonexistent');
    return execFileSync('git', args, { cwd: this.folder, env, maxBuffer: 2 ** 28, stdio: ['pipe', 'pipe', 'pipe'], input: input ?? '' });
  }
}

/** A tar with any headers, as plain tar makes it. */
export const tarOf = (files: Readonly<Record<string, string>>, ...options: string[]): string => {
  const folder = temporaryDirectory();
  const inside = join(folder, 'inside');
  mkdirSync(inside);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(inside, name), content);
  const path = join(folder, 'made.tar');
  execFileSync('tar', ['-cf', path, '--format=ustar', ...options, ...Object.keys(files)], { cwd: inside, stdio: 'pipe' });
  return path;
};
