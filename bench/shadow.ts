import { runGit } from './run-git.ts';

/**
 * The peers' way: a second git repository whose work tree is the user's directory. A checkpoint is `git add -A` and
 * `git commit` there, a rollback is `git reset --hard`. Settings are git's own, except that gc never runs by itself.
 */
export class ShadowRepository {
  readonly directory: string;
  readonly workTree: string;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(directory: string, workTree: string) {
    this.directory = directory;
    this.workTree = workTree;
    this.#environment = { GIT_DIR: directory, GIT_WORK_TREE: workTree };
  }

  static create(directory: string, workTree: string): ShadowRepository {
    const shadow = new ShadowRepository(directory, workTree);
    shadow.#git('init', '--quiet', '--template=', '--initial-branch=main');
    shadow.#git('config', 'gc.auto', '0');
    return shadow;
  }

  record(): void {
    this.add();
    this.commit();
  }

  add(): void {
    this.#git('add', '-A');
  }

  commit(): void {
    this.#git('commit', '--quiet', '--message=checkpoint');
  }

  pack(): void {
    this.#git('gc', '--quiet');
  }

  /** The id of the tree recorded last. */
  get tree(): string {
    return this.#git('rev-parse', 'HEAD^{tree}').trim();
  }

  #git(...args: string[]): string {
    return runGit(this.workTree, args, this.#environment);
  }
}
