import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeContent, makeLine } from './contents.ts';
import { layOut } from './layout.ts';
import { Random } from './random.ts';
import { runGit } from './run-git.ts';
import { say } from './say.ts';
import type { Workshop } from './workshop.ts';

const IGNORED = 'node_modules/\ndist/\ncoverage/\n*.log\n.env\n';

/** The files of a project: paths with their contents. */
function* projectFiles(count: number): Generator<readonly [path: string, content: Buffer]> {
  const random = new Random(count);
  yield ['.gitignore', Buffer.from(IGNORED)];
  // The ignore file counts too.
  for (const path of layOut(count - 1)) yield [path, makeContent(random)];
}

/** The paths of the files that may be edited. */
export const projectPaths = (count: number): string[] => layOut(count - 1);

/** A directory with these files and no git. */
export const writeProject = (directory: string, count: number): void => {
  for (const [path, content] of projectFiles(count)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
};

/** Repositories of any size, made once each, and clones of them. */
export class Repositories {
  readonly #workshop: Workshop;
  readonly #origins = new Map<number, string>();

  constructor(workshop: Workshop) {
    this.#workshop = workshop;
  }

  /** A clone as from a server: every object in one pack, every file just checked out. */
  async clone(count: number): Promise<string> {
    const origin = this.#origins.get(count) ?? (await this.#make(count));
    this.#origins.set(count, origin);
    say(`cloning ${count} files`);
    const directory = this.#workshop.fresh('clone');
    runGit(this.#workshop.path, ['clone', '--quiet', '--no-local', origin, directory]);
    return directory;
  }

  async #make(count: number): Promise<string> {
    say(`making a repository of ${count} files`);
    const directory = this.#workshop.fresh('origin');
    runGit(this.#workshop.path, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', directory]);
    await importFiles(directory, projectFiles(count));
    // Deltas are looked for once here, and reused by every clone.
    runGit(directory, ['repack', '-a', '-d', '-f', '-q']);
    return directory;
  }
}

/** One commit with these files, through git's own fast way in: no work tree is needed. */
const importFiles = async (directory: string, files: Iterable<readonly [path: string, content: Buffer]>): Promise<void> => {
  const child = spawn('git', ['fast-import', '--quiet', '--depth=0'], { cwd: directory, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const send = async (...parts: (string | Buffer)[]): Promise<void> => {
    const isReady = child.stdin.write(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
    if (!isReady) await once(child.stdin, 'drain');
  };
  await send('commit refs/heads/main\ncommitter Bench <bench@example.invalid> 1700000000 +0000\ndata 5\nfiles\n');
  for (const [path, content] of files) await send(`M 100644 inline ${path}\ndata ${content.length}\n`, content, '\n');
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import exited with ${code}`);
};

/** Changes one line in each file, as an editor or an agent does it: the file is written again in its place. */
export const editFiles = (directory: string, paths: readonly string[], random: Random): void => {
  for (const path of paths) {
    const lines = readFileSync(join(directory, path), 'latin1').split('\n');
    lines[random.below(lines.length)] = makeLine(random).trimEnd();
    writeFileSync(join(directory, path), lines.join('\n'), 'latin1');
  }
};
