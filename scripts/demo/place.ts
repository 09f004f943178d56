import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BIN, Refusal } from './program.ts';

/** A demo's own world: nothing of whoever plays it is read or written but their git settings. */
export interface DemoPlace {
  readonly root: string;
  /** The project that the agent works on. */
  readonly shop: string;
  /** `RETAKE_HOME`: what is recorded. */
  readonly data: string;
  /** `CLAUDE_CONFIG_DIR`: the agent's session files. */
  readonly agent: string;
  /** Runs Retake with all of this, from anywhere. */
  readonly command: string;
}

export const demoPlace = (root: string): DemoPlace => ({
  root,
  shop: join(root, 'shop'),
  data: join(root, 'data'),
  agent: join(root, 'claude'),
  command: join(root, 'retake'),
});

/** Where `npm start` puts its demo: one per user, so that a new one can take the place of the last. */
export const usualRoot = (): string => join(realpathSync(tmpdir()), `retake-demo-${process.getuid?.() ?? 0}`);

/** What would have the demo's programs do something else here than anywhere else. */
const MEDDLING = /^(?:RETAKE_|CLAUDE|GIT_|NODE_|VITEST|npm_)/;

export const demoEnvironment = ({ data, agent }: DemoPlace): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !MEDDLING.test(name))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  RETAKE_HOME: data,
  CLAUDE_CONFIG_DIR: agent,
});

/** Makes the directories and the command; there must be nothing yet. */
export const makePlace = (place: DemoPlace): void => {
  mkdirSync(place.root, { mode: 0o700 });
  for (const directory of [place.shop, place.data, place.agent]) mkdirSync(directory, { mode: 0o700 });
  const script = `#!/bin/sh
# Retake with the records and sessions of the demo, in its workspace.
export RETAKE_HOME=${quote(place.data)} CLAUDE_CONFIG_DIR=${quote(place.agent)}
exec ${quote(BIN)} -C ${quote(place.shop)} "$@"
`;
  writeFileSync(place.command, script, { mode: 0o755 });
};

export const quote = (word: string): string => (/^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Ends a demo's background process and removes everything of it; false where there is none. */
export const removePlace = (place: DemoPlace): boolean => {
  const stat = lstatSync(place.root, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  // Others may write into the system's temporary directory, and could have put something there by that name.
  if (!stat.isDirectory() || (process.getuid !== undefined && stat.uid !== process.getuid())) {
    throw new Refusal(`${place.root} is not a demo of yours: move it away, or set TMPDIR to another directory`);
  }
  spawnSync(BIN, ['daemon', 'stop'], { cwd: '/', env: demoEnvironment(place), stdio: 'ignore' });
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  return true;
};
