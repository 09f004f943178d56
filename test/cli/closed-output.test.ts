import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonScene } from '../daemon/support.ts';
import { BIN } from '../support/cli.ts';
import { put, type Scene } from '../support/scene.ts';

/** Runs it before readers who are gone when it begins to speak, and returns the exit code. */
const runUnread = ({ workspace, retake }: Scene, gone: readonly ('stdout' | 'stderr')[], ...args: string[]): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(BIN, args, { cwd: workspace, env: retake.env });
    for (const stream of ['stdout', 'stderr'] as const) gone.includes(stream) ? child[stream].destroy() : child[stream].resume();
    child.on('error', reject);
    child.on('close', resolve);
  });

/** A workspace at its second state, and the id of the first. The daemon does the work, so that there is time to hear of the readers. */
const changed = (): Scene & { readonly first: string } => {
  const at = daemonScene();
  at.retake.json(at.workspace, 'daemon', 'start');
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'file', '2');
  return { ...at, first: id };
};

test.each([
  ['its output', ['stdout']],
  ['its asides', ['stderr']],
  ['anything of it', ['stdout', 'stderr']],
] as const)('[UI-1] where nobody reads %s, the work is done all the same and the exit code tells so', async (_, gone) => {
  const at = changed();
  expect(await runUnread(at, gone, 'rewind', at.first)).toBe(0);
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('1');
  for (const line of [['log'], ['checkpoint', '--name', 'again'], ['--help']]) expect(await runUnread(at, gone, ...line)).toBe(0);
});

test.each([
  ['refused', ['show', 'no-such-thing'], 1],
  ['refused to a program', ['show', 'no-such-thing', '--json'], 1],
  ['wrong usage', ['frobnicate'], 2],
] as const)('[UI-1] what is %s is told by the exit code where nobody reads the words', async (_, line, code) => {
  expect(await runUnread(changed(), ['stdout', 'stderr'], ...line)).toBe(code);
});
