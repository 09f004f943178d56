import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hermeticEnvironment } from '../support/git.ts';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';

const latin1 = (path: string): Buffer => Buffer.from(path, 'latin1');

/** Everything that can happen to a workspace from outside. Paths are byte strings. */
export type Action =
  | { do: 'write' | 'append'; path: string; text: string; mode: number }
  | { do: 'truncate' | 'delete' | 'mkdir' | 'git-init' | 'track'; path: string }
  | { do: 'rename'; path: string; to: string }
  | { do: 'chmod'; path: string; mode: number }
  | { do: 'link'; path: string; target: string };

/** A workspace that is changed as users and agents change theirs, and looked at without any code of ours. */
export class World {
  readonly root: string;
  readonly #isRepository: boolean;

  private constructor(root: string, isRepository: boolean) {
    this.root = root;
    this.#isRepository = isRepository;
  }

  static make(root: string, isRepository: boolean): World {
    const world = World.at(root, isRepository);
    mkdirSync(root, { recursive: true });
    if (isRepository) world.#git(['init', '-q', root]);
    return world;
  }

  /** One that is there already. */
  static at(root: string, isRepository: boolean): World {
    return new World(root, isRepository);
  }

  /** Does what is asked, as far as the file system lets it: an impossible request changes nothing. */
  perform(action: Action): void {
    try {
      this.#perform(action);
    } catch (error) {
      if (!(error instanceof Error && ('code' in error || 'status' in error))) throw error;
    }
  }

  #perform(action: Action): void {
    const at = this.#at(action.path);
    switch (action.do) {
      case 'write':
        this.#clear(action.path);
        writeFileSync(at, action.text);
        chmodSync(at, action.mode);
        break;
      case 'append':
        if (lstatSync(at).isFile()) appendFileSync(at, action.text);
        break;
      case 'truncate':
        if (lstatSync(at).isFile()) truncateSync(at, 1);
        break;
      case 'delete':
        rmSync(at, { recursive: true, force: true });
        break;
      case 'mkdir':
        this.#clear(action.path);
        mkdirSync(at);
        break;
      case 'rename':
        this.#clear(action.to);
        renameSync(at, this.#at(action.to));
        break;
      case 'chmod':
        if (!lstatSync(at).isSymbolicLink()) chmodSync(at, lstatSync(at).isDirectory() ? action.mode | 0o700 : action.mode);
        break;
      case 'link':
        this.#clear(action.path);
        symlinkSync(latin1(action.target), at);
        break;
      case 'git-init':
        if (lstatSync(at).isDirectory()) this.#git(['init', '-q'], this.#at(action.path).toString('latin1'));
        break;
      case 'track':
        if (this.#isRepository && lstatSync(at).isFile()) this.#git(['-C', this.root, 'add', '-f', '--', `:(literal)${action.path}`]);
        break;
    }
  }

  /** Type, permission bits and bytes of everything outside of `.git` directories. */
  look(): Oracle {
    return observeWorkspace(this.root);
  }

  /** The text of a directory's `.gitignore`, if it is a file that git would read. */
  rulesIn(directory: string): string | null {
    const path = this.#at(directory === '' ? '.gitignore' : `${directory}/.gitignore`);
    const isReal = directory === '' || this.#type(directory) === 'directory';
    return isReal && lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'latin1') : null;
  }

  /** Rules start anew at the top of a nested repository. */
  isRepositoryTop(directory: string): boolean {
    return this.#type(directory) === 'directory' && lstatSync(this.#at(`${directory}/.git/HEAD`), { throwIfNoEntry: false }) !== undefined;
  }

  tracked(): Set<string> {
    const output = this.#isRepository ? this.#git(['-C', this.root, 'ls-files', '-z']).toString('latin1') : '';
    return new Set(output.split('\0').filter((path) => path !== ''));
  }

  /** Links are not followed anywhere on the way. */
  #type(path: string): 'directory' | 'other' | undefined {
    const parts = path.split('/');
    for (const depth of parts.keys()) {
      const stat = lstatSync(this.#at(parts.slice(0, depth + 1).join('/')), { throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      if (!stat.isDirectory()) return depth === parts.length - 1 ? 'other' : undefined;
    }
    return 'directory';
  }

  #clear(path: string): void {
    rmSync(this.#at(path), { recursive: true, force: true });
  }

  #at(path: string): Buffer {
    return latin1(path === '' ? this.root : `${this.root}/${path}`);
  }

  #git(args: string[], cwd?: string): Buffer {
    return execFileSync('git', args, { env: hermeticEnvironment('/nonexistent'), stdio: 'pipe', ...(cwd === undefined ? {} : { cwd }) });
  }
}
