import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Arena } from './arena.ts';
import { makeLean } from './rich-workspace.ts';
import { assertSound, operationsIn, storeOf } from './soundness.ts';
import { canTrace, killedAtCall } from './strace.ts';

const LONG = 1_800_000;
const CALLS = 'rename,unlink,unlinkat,rmdir,link,mkdir';

/** A `git` in PATH that dies by SIGKILL on entering its nth change of a name, when it is called for `verb`; says so in a file. */
const fatalGit = (directory: string, verb: string): { path: string; killAt: (call: number) => void; wasKilled: () => boolean } => {
  mkdirSync(directory);
  const real = spawnSync('sh', ['-c', 'command -v git']).stdout.toString().trim();
  const wrapper = join(directory, 'git');
  const script = `#!/bin/bash
case " $* " in
*" ${verb} "*)
  [ -s '${directory}/at' ] || exec '${real}' "$@"
  ${killedAtCall(CALLS, `$(cat '${directory}/at')`).join(' ')} '${real}' "$@"
  code=$?
  [ $code = 137 ] && touch '${directory}/killed' && kill -9 $$
  exit $code ;;
*) exec '${real}' "$@" ;;
esac
`;
  writeFileSync(wrapper, script);
  chmodSync(wrapper, 0o755);
  return {
    path: `${directory}:${process.env.PATH}`,
    killAt: (call) => {
      rmSync(join(directory, 'killed'), { force: true });
      writeFileSync(join(directory, 'at'), call === 0 ? '' : String(call));
    },
    wasKilled: () => existsSync(join(directory, 'killed')),
  };
};

/** An object that nothing has referred to for long, so that there is something to prune. */
const makeOldGarbage = (store: string): void => {
  const { stdout } = spawnSync('git', ['--git-dir', store, 'hash-object', '-w', '--stdin'], { input: 'garbage' });
  const id = stdout.toString().trim();
  utimesSync(join(store, 'objects', id.slice(0, 2), id.slice(2)), 1_600_000_000, 1_600_000_000);
};

interface Case {
  readonly name: string;
  readonly verb: string;
  readonly command: readonly string[];
  /** With refs packed, deleting one means rewriting the file that holds them all. */
  readonly packed: boolean;
}

const CASES: readonly Case[] = [
  { name: 'gc, packing anew', verb: 'pack-objects', command: ['gc'], packed: true },
  { name: 'gc, packing for the first time', verb: 'pack-objects', command: ['gc'], packed: false },
];

test.skipIf(!canTrace()).each(CASES)(
  '[REL-2] the git process of $name, killed at any change it makes, needs no lock removed by hand',
  { timeout: LONG },
  async ({ name, verb, command, packed }) => {
    const arena = await Arena.open();
    const git = fatalGit(join(arena.workspace, '../../git'), verb);
    Object.assign(arena.env, { PATH: git.path });
    git.killAt(0);
    makeLean(arena.workspace);
    for (const checkpoint of ['one', 'two', 'three']) {
      writeFileSync(join(arena.workspace, 'edited'), checkpoint);
      await arena.json('checkpoint', '--name', checkpoint);
      if (packed && checkpoint === 'two') await arena.json('gc');
    }
    const reported = (await operationsIn(arena)).filter((one) => command[1] !== one.name).map(({ id }) => id);
    makeOldGarbage(await storeOf(arena));
    arena.save();
    let kills = 0;
    const failures: string[] = [];
    for (let call = 1; ; call++) {
      arena.reset();
      git.killAt(call);
      await arena.ask(...command);
      if (!git.wasKilled()) break;
      kills++;
      git.killAt(0);
      try {
        for (const next of [['checkpoint', '--name', 'next'], ['delete', 'two'], ['gc'], ['checkpoint', '--name', 'last']]) {
          const { code, stdout, stderr } = await arena.ask(...next);
          expect(code, `retake ${next.join(' ')}: ${stdout}${stderr}`).toBe(0);
        }
        const two = (await operationsIn(arena)).some((one) => one.name === 'two');
        expect(two).toBe(false);
        await assertSound(arena, reported.slice(0, 1));
      } catch (error) {
        failures.push(`git ${verb} killed at change ${call}: ${error instanceof Error ? error.message : error}`);
      }
    }
    console.log(`git of ${name}: killed at ${kills} changes, ${failures.length} failures`);
    expect(failures).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  },
);
