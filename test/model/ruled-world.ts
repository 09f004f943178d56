import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hermeticEnvironment } from '../support/git.ts';
import { type Oracle, observeDirectory } from '../support/oracle.ts';

/** What somebody does to a workspace, and to the rules that decide what of it is recorded. */
export type AttributedChange =
  | { do: 'write'; path: string; text: string; mode: number }
  | { do: 'mkdir' | 'delete' | 'repository' | 'pointer' | 'track' | 'untrack'; path: string }
  | { do: 'link'; path: string; target: string }
  | { do: 'rename'; path: string; to: string }
  | { do: 'chmod'; path: string; mode: number }
  | Rules;

/** Rules that are no part of the workspace: those of a repository in it, or of the user. */
export type Rules = { do: 'exclude'; path: string; text: string } | { do: 'global'; text: string };

/** A workspace in a repository, with others nested in it, whose rules come from everywhere rules can come from. Git itself says what they mean. */
export class RuledWorld {
  readonly root: string;
  readonly #home: string;
  readonly #template: string;
  #elsewhere = 0;

  /** @param template an empty repository, to be copied: quicker than asking git for each */
  constructor(directory: string, template: string) {
    this.root = join(directory, 'workspace');
    this.#home = join(directory, 'home');
    this.#template = template;
    mkdirSync(join(this.#home, '.config/git'), { recursive: true });
    mkdirSync(this.root);
    cpSync(template, join(this.root, '.git'), { recursive: true });
  }

  /** For the program in this process: where it looks for the user's own rules. */
  get environment(): Record<string, string> {
    return hermeticEnvironment(this.#home);
  }

  /** Does it as far as the file system and git allow it: the impossible changes nothing. */
  perform(attributed: AttributedChange): void {
    try {
      this.#perform(attributed);
    } catch (error) {
      if (!(error instanceof Error && ('code' in error || 'status' in error))) throw error;
    }
  }

  #perform(attributed: AttributedChange): void {
    if (attributed.do === 'global') {
      writeFileSync(join(this.#home, '.config/git/ignore'), attributed.text);
      return;
    }
    const at = join(this.root, attributed.path);
    switch (attributed.do) {
      case 'write':
        this.#clear(at);
        writeFileSync(at, attributed.text);
        chmodSync(at, attributed.mode);
        break;
      case 'mkdir':
        this.#clear(at);
        mkdirSync(at);
        break;
      case 'delete':
        this.#clear(at);
        break;
      case 'link':
        this.#clear(at);
        symlinkSync(attributed.target, at);
        break;
      case 'rename':
        if (!existsSync(join(this.root, attributed.to))) renameSync(at, join(this.root, attributed.to));
        break;
      case 'chmod':
        if (!lstatSync(at).isSymbolicLink()) chmodSync(at, lstatSync(at).isDirectory() ? attributed.mode | 0o700 : attributed.mode);
        break;
      case 'exclude':
        if (lstatSync(join(at, '.git')).isDirectory()) writeFileSync(join(at, '.git/info/exclude'), attributed.text);
        break;
      case 'repository':
        if (lstatSync(at).isDirectory() && !existsSync(join(at, '.git'))) cpSync(this.#template, join(at, '.git'), { recursive: true });
        break;
      case 'pointer': {
        // A repository whose data is elsewhere, as of submodules and linked worktrees.
        const data = join(dirname(this.root), `elsewhere-${this.#elsewhere++}`);
        if (!lstatSync(at).isDirectory() || existsSync(join(at, '.git'))) return;
        cpSync(this.#template, data, { recursive: true });
        writeFileSync(join(at, '.git'), `gitdir: ${data}\n`);
        break;
      }
      case 'track': {
        // The repository around the file's own directory, or the outermost one: git's own `add` enters no other repository.
        const top = attributed.path.length % 2 === 0 ? this.#topAround(attributed.path) : '';
        const blob = this.#git(top, 'hash-object', '-w', '--', at).trim();
        if (lstatSync(at).isFile())
          this.#git(top, 'update-index', '--add', '--cacheinfo', `100644,${blob},${inside(attributed.path, top)}`);
        break;
      }
      case 'untrack':
        this.#git('', 'update-index', '--force-remove', '--', attributed.path);
        break;
    }
  }

  /** Everything but what is in `.git` directories. */
  look(): Oracle {
    const isData = (path: string): boolean => {
      const at = path.split('/').indexOf('.git');
      const git = join(
        this.root,
        path
          .split('/')
          .slice(0, at + 1)
          .join('/'),
      );
      return at >= 0 && lstatSync(git).isDirectory();
    };
    return observeDirectory(this.root, { without: isData });
  }

  /** Files that a complete record has to hold, by what git says of each repository: tracked in one around them, or ignored by nobody. */
  wanted(): Set<string> {
    const disk = this.look();
    const tops = [...disk]
      .filter(([, what]) => what.startsWith('directory'))
      .map(([path]) => path)
      .filter((path) => this.#isTop(path));
    const isFile = (path: string): boolean => disk.has(path) && !disk.get(path)?.startsWith('directory') && !/(^|\/)\.git$/.test(path);
    const seen = ['', ...tops.filter((top) => this.#isSeen(top))];
    const files = seen.flatMap((top) => {
      const list = (...args: string[]) =>
        this.#git(top, 'ls-files', '-z', ...args)
          .split('\0')
          .filter(Boolean);
      const inner = tops.filter((other) => other !== top && isInside(other, top));
      const others = list('-o', '--exclude-standard').filter((path) => !inner.some((other) => isInside(under(top, path), other)));
      return [...list('-c'), ...others].map((path) => under(top, path));
    });
    return new Set(files.filter(isFile));
  }

  /** Whether no repository around it ignores the top of another. */
  #isSeen(top: string): boolean {
    const outer = this.#topAround(top);
    if (outer !== '' && !this.#isSeen(outer)) return false;
    try {
      this.#git(outer, 'check-ignore', '-q', '--no-index', '--', inside(top, outer));
      return false;
    } catch {
      return true;
    }
  }

  #topAround(path: string): string {
    for (let up = dirname(path); up !== '.'; up = dirname(up)) if (this.#isTop(up)) return up;
    return '';
  }

  #isTop(directory: string): boolean {
    const git = join(this.root, directory, '.git');
    if (!existsSync(git)) return false;
    const data = statSync(git).isDirectory() ? git : readFileSync(git, 'utf8').slice('gitdir: '.length).trim();
    return existsSync(join(data, 'HEAD'));
  }

  #clear(at: string): void {
    rmSync(at, { recursive: true, force: true });
  }

  #git(top: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd: join(this.root, top), env: this.environment, stdio: 'pipe' }).toString();
  }
}

const isInside = (path: string, directory: string): boolean => directory === '' || path === directory || path.startsWith(`${directory}/`);
const inside = (path: string, top: string): string => (top === '' ? path : path.slice(top.length + 1));
const under = (top: string, path: string): string => (top === '' ? path : `${top}/${path}`);
