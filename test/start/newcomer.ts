import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { BIN, type Run } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const CHECKOUT = join(BIN, '../..');

/** Somebody who has just cloned the project: the system's tools, and a home directory of their own. */
export interface Newcomer {
  readonly home: string;
  readonly env: Record<string, string>;
  /** Where `npm start` puts its demo, and the command that it tells of. */
  readonly demo: string;
  readonly command: string;
  npm(args: readonly string[], env?: Record<string, string>): Pick<Run, 'code' | 'stdout' | 'stderr'>;
}

/** The directories of PATH but those that npm adds for its scripts: the system's Node, however old, and no other. */
export const systemPath = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !/node_modules|node-gyp-bin/.test(directory))
    .join(delimiter);

export const newcomer = (): Newcomer => {
  const root = temporaryDirectory();
  const [home, temporary] = [join(root, 'home'), join(root, 'tmp')];
  for (const directory of [home, temporary]) mkdirSync(directory);
  const env = { PATH: systemPath(), HOME: home, TMPDIR: temporary, LC_ALL: 'C', npm_config_update_notifier: 'false' };
  const npm: Newcomer['npm'] = (args, more = {}) => {
    const options = { cwd: CHECKOUT, env: { ...env, ...more }, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const { status, stdout, stderr } = spawnSync('npm', args, options);
    return { code: status ?? -1, stdout, stderr };
  };
  onTestFinished(() => void npm(['start', '--', '--stop']));
  const demo = join(temporary, `retake-demo-${process.getuid?.() ?? 0}`);
  return { home, env, demo, command: join(demo, 'retake'), npm };
};
