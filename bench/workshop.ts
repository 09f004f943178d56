import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './say.ts';

/** The one directory below which everything is made. It is gone when the process ends, also after Ctrl-C. */
export class Workshop {
  readonly path: string;
  #made = 0;

  constructor() {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), 'retake-bench-')));
    process.once('exit', () => {
      say('removing temporary files');
      this.discard(this.path);
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  }

  /** A path that nothing is at yet. */
  fresh(name: string): string {
    return join(this.path, `${name}-${++this.#made}`);
  }

  freshDirectory(name: string): string {
    const path = this.fresh(name);
    mkdirSync(path);
    return path;
  }

  discard(path: string): void {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Nothing of the machine's user reaches git or Retake: no configuration, no settings, no repository they were started in. */
export const isolate = (workshop: Workshop): void => {
  for (const name of Object.keys(process.env)) if (/^(GIT|RETAKE|XDG)_/.test(name)) delete process.env[name];
  Object.assign(process.env, {
    HOME: workshop.freshDirectory('home'),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Bench',
    GIT_AUTHOR_EMAIL: 'bench@example.invalid',
    GIT_COMMITTER_NAME: 'Bench',
    GIT_COMMITTER_EMAIL: 'bench@example.invalid',
  });
};
