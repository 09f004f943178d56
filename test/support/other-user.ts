import { spawnSync } from 'node:child_process';
import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, type Run } from './cli.ts';
import type { Scene } from './scene.ts';

const NOBODY = 65534;

/** Tests about permissions mean nothing to root, and without root there is nobody else to be. */
export const canBecomeOther = process.getuid?.() === 0;

/** Hands the workspace and the data directory to an ordinary user. */
export const handOver = ({ workspace, retake }: Scene): void => {
  own(workspace);
  own(join(retake.home, '..'));
};

export const own = (path: string, user = NOBODY): void => {
  lchownSync(path, user, user);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name), user);
};

/** The real program as that user. */
export const runAsOther = ({ workspace, retake }: Scene, ...args: string[]): Run => {
  const { status, stdout, stderr } = spawnSync(BIN, args, { cwd: workspace, env: retake.env, encoding: 'utf8', uid: NOBODY, gid: NOBODY });
  return {
    code: status ?? -1,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
};

/** The same with `--json`; throws when it fails. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const jsonAsOther = (at: Scene, ...args: string[]): any => {
  const result = runAsOther(at, ...args, '--json');
  if (result.code !== 0) throw new Error(`retake ${args.join(' ')} exited ${result.code}\n${result.stdout}\n${result.stderr}`);
  return result.json;
};
