import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAddress, spooled, troubles } from '../daemon/support.ts';
import { dataOf } from '../support/scene.ts';
import { fillDisk, smallDisk, whyNoMount } from '../support/small-disk.ts';
import { type Lab, lab } from './lab.ts';
import { linesOf } from './records.ts';
import { bash, call, edit, read, type Script, say, write } from './script.ts';

const PROMPT = 'make the file, whatever happens to Retake';

/** `happens` comes to pass between two steps. */
const script =
  (happens: () => void = () => {}) =>
  (workspace: string): Script => ({
    [PROMPT]: [
      call(write(`${workspace}/a.txt`, 'one\n')),
      { ...call(bash('ls; echo made > b.txt')), meanwhile: happens },
      call(edit(`${workspace}/a.txt`, 'one', 'two')),
      call(bash('echo unhappy >&2; exit 4')),
      call(read(`${workspace}/a.txt`)),
      say('It is made.'),
    ],
  });

/** What the log of an undisturbed run says after the first step. */
const LATER = [
  'after-step t1 Bash: Bash: ls; echo made > b.txt, 1 changed +1 -0',
  'after-step t1 Edit: Edit a.txt, 1 changed +1 -1',
  'session-end t1: Session ended (other), 0 changed +0 -0',
];

/** Everything that the user and the model can notice, in words that do not depend on where and when. */
interface Experience {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly messages: string;
}

const experience = async ({ client, model, workspace }: Lab): Promise<Experience> => {
  const { code, stdout, stderr } = await client.print(PROMPT);
  const messages = JSON.stringify(model.lastFor(PROMPT)?.messages ?? null, null, 1);
  return { code, stdout, stderr, messages: messages.replaceAll(workspace, 'WORKSPACE').replaceAll(/toolu_\w+/g, 'TOOL-USE') };
};

let undisturbed: Promise<Experience> | undefined;
const withoutHooks = (): Promise<Experience> => {
  undisturbed ??= lab(script(), { hooks: 'none' }).then(experience);
  return undisturbed;
};

/**
 * The prompt went with the store: who does not know it can not count it. On a busy machine it may still have been on its way to
 * being recorded, and is there.
 */
const afterDeletion = (at: Lab): string[] =>
  linesOf(at)
    .filter((line) => !/^(prompt|session-start) /.test(line))
    .map((line) => line.replace(' t1', ' t0'));

describe('[AGT-1] the client and its model notice nothing', () => {
  test('of hooks that work', async () => {
    const usual = await withoutHooks();
    expect(usual).toMatchObject({ code: 0, stdout: 'It is made.\n', stderr: '' });
    expect(usual.messages).toContain('unhappy');
    const at = await lab(script());
    expect(await experience(at)).toEqual(usual);
    expect(linesOf(at).slice(3)).toEqual(LATER);
  });

  test.skipIf(whyNoMount)('of a full disk', async () => {
    const disk = smallDisk(1_000_000);
    fillDisk(disk);
    const at = await lab(script(), { env: { RETAKE_HOME: join(disk, 'retake') } });
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(linesOf(at)).toEqual([]);
  });

  test.skipIf(whyNoMount)('of a data directory that can not be written', async () => {
    const disk = smallDisk(1_000_000);
    mkdirSync(join(disk, 'retake'));
    spawnSync('mount', ['-o', 'remount,ro', disk]);
    const at = await lab(script(), { env: { RETAKE_HOME: join(disk, 'retake') } });
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(linesOf(at)).toEqual([]);
  });

  test('of garbage in the database, which is made anew', async () => {
    const at = await lab(script());
    at.retake.json(at.workspace, 'checkpoint');
    at.retake.run(at.workspace, 'daemon', 'stop');
    writeFileSync(join(dataOf(at), 'index.db'), 'garbage '.repeat(1000));
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(linesOf(at).slice(4)).toEqual(LATER);
  });

  test('of a store that is deleted between two hooks', async () => {
    const at: Lab = await lab(script(() => rmSync(dataOf(at), { recursive: true })));
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(afterDeletion(at)).toEqual([
      'before-step t0 Bash: Before Bash: ls; echo made > b.txt, 0 changed +0 -0',
      ...LATER.map((line) => line.replace(' t1', ' t0')),
    ]);
  });

  test('of the whole data directory being deleted between two hooks', async () => {
    const at: Lab = await lab(script(() => rmSync(at.retake.home, { recursive: true })));
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(afterDeletion(at).at(-1)).toBe('session-end t0: Session ended (other), 0 changed +0 -0');
  });

  test('of a node that is gone', async () => {
    const at = await lab(script(), { hooks: { node: '/nonexistent/node' } });
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(linesOf(at)).toEqual([]);
  });

  test('of a background process that does not answer, and what is kept meanwhile is recorded when it does', async () => {
    const at = await lab(script(), { env: { RETAKE_HOOK_DEADLINE_MS: '300' } });
    at.retake.json(at.workspace, 'daemon', 'start');
    const { pid } = readAddress(at);
    process.kill(pid, 'SIGSTOP');
    expect(await experience(at)).toEqual(await withoutHooks());
    expect(spooled(at).length).toBeGreaterThan(0);
    expect(new Set(troubles(at)).size).toBe(1);

    process.kill(pid, 'SIGCONT');
    at.retake.json(at.workspace, 'daemon', 'stop');
    at.retake.json(at.workspace, 'daemon', 'start');
    at.retake.json(at.workspace, 'checkpoint');
    expect(linesOf(at)[1]).toContain(`prompt t1: ${PROMPT}`);
    expect(spooled(at)).toEqual([]);
  });
});
