import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { put, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SETTINGS = '{ "model": "x" , "hooks": { } }';

/** The program, in a place where it finds the hook that it installs. */
const dyingProgram = async () => {
  const { faulty, env } = inject('programs');
  const place = join(temporaryDirectory(), 'dist');
  cpSync(dirname(faulty), place, { recursive: true });
  put(place, 'hook.cjs');
  const program = join(place, basename(faulty));
  /** Runs setup, which dies before the given effect; true when it came to its end. */
  return (at: Scene, killAt: number, ...args: string[]): boolean => {
    const run = spawnSync(process.execPath, [program, 'setup', 'claude-code', '--project', ...args], {
      cwd: at.workspace,
      env: { ...at.retake.env, ...env, RETAKE_HOME: '', RETAKE_TEST_KILL_AT: String(killAt) },
      encoding: 'utf8',
    });
    if (run.signal === null) expect(run, run.stderr).toMatchObject({ status: 0 });
    return run.signal === null;
  };
};

test.each([
  ['there', SETTINGS],
  ['not there', null],
])(
  '[REL-2] setup and removal, killed at any instant, leave settings that were %s as they were or as they are to be',
  async (_name, original) => {
    const runDying = await dyingProgram();
    const fresh = () => {
      const at = scene();
      if (original !== null) put(at.workspace, '.claude/settings.local.json', original);
      const file = join(at.workspace, '.claude/settings.local.json');
      return { at, read: () => (existsSync(file) ? readFileSync(file, 'utf8') : null) };
    };
    let deaths = 0;
    const whole = fresh();
    expect(runDying(whole.at, 0)).toBe(true);
    const installed = whole.read();
    for (const [args, before, after] of [
      [[], original, installed],
      [['--remove'], installed, original],
    ] as const) {
      for (let killAt = 1, ended = false; !ended; killAt++) {
        const { at, read } = fresh();
        if (args.length > 0) runDying(at, 0);
        ended = runDying(at, killAt, ...args);
        if (!ended) deaths++;
        expect([before, after]).toContain(read());
        // The next try finishes the work.
        expect(runDying(at, 0, ...args)).toBe(true);
        expect(read()).toBe(after);
        expect(runDying(at, 0, '--remove')).toBe(true);
        expect(read()).toBe(original);
      }
    }
    expect(deaths).toBeGreaterThan(5);
  },
);
