import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BIN } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const CHECKOUT = join(BIN, '../..');

/** A person's machine on which the package is installed. */
export interface Machine {
  readonly home: string;
  /** Where it is installed. */
  readonly project: string;
  readonly env: Record<string, string>;
  run(command: string, ...args: string[]): { readonly code: number; readonly stdout: string; readonly stderr: string };
  npm(...args: string[]): string;
}

export interface Packed {
  readonly tarball: string;
  readonly bytes: number;
  readonly files: readonly string[];
}

/** With this Node, or with whatever Node is in a PATH; no cache and no setting of whoever runs the tests. */
export const machine = (path = `${dirname(process.execPath)}:${process.env.PATH}`): Machine => {
  const [home, project] = [temporaryDirectory(), temporaryDirectory()];
  const npmHome = temporaryDirectory();
  const npmOnly = { npm_config_cache: npmHome, npm_config_userconfig: join(npmHome, 'npmrc'), npm_config_update_notifier: 'false' };
  const env = { PATH: path, HOME: home, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', ...npmOnly };
  const run: Machine['run'] = (command, ...args) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    return { code: status ?? -1, stdout, stderr };
  };
  const npm = (...args: string[]): string => {
    const { code, stdout, stderr } = run('npm', ...args);
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
    return stdout;
  };
  return { home, project, env, run, npm };
};

/** Packs the checkout as it is built. */
export const pack = (at: Machine): Packed => {
  const to = temporaryDirectory();
  // Built already; building now would take the program away from other tests.
  const [packed] = JSON.parse(at.npm('pack', CHECKOUT, '--ignore-scripts', '--json', '--pack-destination', to));
  return { tarball: join(to, packed.filename), bytes: packed.size, files: packed.files.map(({ path }: { path: string }) => path) };
};

/** Installs it into an empty folder, without a network. */
export const install = (at: Machine, { tarball }: Packed): string => {
  writeFileSync(join(at.project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}\n');
  at.npm('install', '--offline', '--no-audit', '--no-fund', tarball);
  return join(at.project, 'node_modules/.bin/retake');
};

export const workspaceIn = (home: string): string => {
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  return workspace;
};
