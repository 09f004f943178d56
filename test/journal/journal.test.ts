import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Journal } from '../../src/capture/index.ts';
import type { ByteString, RelativePath } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { CHANGES, project } from './changes.ts';
import { shell, Watched } from './watched.ts';

test.each(Object.entries(CHANGES))('[CAP-1] the journal sees what a scan sees: %s', async (_, script) => {
  const root = project();
  const outside = temporaryDirectory();
  put(outside, 'comes/inside.txt', 'inside');
  const watched = await Watched.begin(root);
  const before = await watched.look();
  shell(root, `OUTSIDE=${outside}\n${script}`);
  await watched.expectExact();
  expect(await watched.look()).not.toBe(before);
  await watched.checkpoint();
  // What is watched now is what is there now.
  shell(root, 'find . -name .git -prune -o -type f -print0 | while IFS= read -r -d "" file; do echo again >> "$file"; done');
  await watched.expectExact();
  await watched.checkpoint();
  await watched.expectExact();
});

test('[CAP-1] a workspace in a repository: what git tracks and excludes, and nested repositories', async () => {
  const root = project();
  gitIn(root, 'init', '-q');
  const watched = await Watched.begin(root);
  for (const script of [
    'echo tracked > it.log; git add -f it.log',
    'echo "*.txt" >> .git/info/exclude',
    'git rm -q --cached it.log',
    'git init -q src/b; echo "three.txt" > src/b/.gitignore',
    'git -C src/b add -f three.txt',
    'rm -rf src/b/.git',
    'git add -f node_modules',
  ]) {
    shell(root, script);
    await watched.expectExact();
    await watched.checkpoint();
    await watched.expectExact();
  }
});

test('[PRF-8] ignored directories are not watched, and those that become ignored no longer', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  // The root, src, src/a, src/a/deep, src/b, other.
  expect(watched.memory.watches).toBe(6);
  writeFileSync(join(root, '.gitignore'), 'node_modules/\nsrc/a/\n');
  await watched.checkpoint();
  expect(watched.memory.watches).toBe(4);
  writeFileSync(join(root, '.gitignore'), '');
  await watched.checkpoint();
  expect(watched.memory.watches).toBe(9);
  await watched.expectExact();
});

const QUEUE = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));

/** More than the system's queue holds, in a directory that is watched, and some that are not. */
const BURST = `(cd other; seq -f "f%g" 1 ${QUEUE} | xargs touch); mkdir -p burst/1/2; echo x > burst/1/2/file; rm other/f7`;

test('[CAP-1] more changes than the queue holds, while nobody reads it', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  shell(root, BURST);
  // Nothing of it was read yet.
  await watched.expectExact('journal');
  expect(watched.memory.tier).toBe('scan');
  await watched.checkpoint();
  expect(await watched.memory.arm()).toBe(true);
  shell(root, 'echo x > burst/1/2/file');
  await watched.expectExact();
});

test('[CAP-1] an overflow that was drained before anybody asked', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  shell(root, BURST);
  shell(root, 'echo unheard > other/four.txt');
  // The queue is read here, in turns of the event loop, and has forgotten by now what it could not hold.
  await expect.poll(() => watched.memory.tier).toBe('scan');
  await watched.expectExact('scan');
  await watched.checkpoint();
  await watched.expectExact('journal');
});

test('[CAP-1] changes through another name of a file, outside of the workspace', async () => {
  const root = project();
  const outside = temporaryDirectory();
  shell(root, `ln src/a/one.txt ${outside}/name`);
  const watched = await Watched.begin(root);
  shell(outside, 'echo through >> name');
  await watched.expectExact();
});

test('[CAP-1] an audit finds what the system does not tell, and the next capture has it', async () => {
  const root = project();
  const outside = temporaryDirectory();
  const watched = await Watched.begin(root);
  await sleep(100);
  await watched.checkpoint();
  expect((await watched.memory.audit())?.missed).toEqual([]);
  const before = await watched.look();
  // No event tells of a second name, nor of what is written through it.
  shell(outside, `ln ${root}/src/a/one.txt name; echo through >> name`);
  expect(await watched.look()).toBe(before);
  expect((await watched.memory.audit())?.missed).toEqual(['src/a']);
  expect(await watched.look()).not.toBe(before);
  await watched.expectExact();
});

/** A project and a clone of it, which counts as the same workspace at its place. */
const clonedProject = (): { root: string; clone: string } => {
  const root = project();
  gitIn(root, 'init', '-q');
  commitAll(root);
  const clone = join(temporaryDirectory(), 'clone');
  gitIn(root, 'clone', '-q', root, clone);
  return { root, clone };
};

test('[REL-2] the workspace is deleted, and cloned again, while watched', async () => {
  const { root, clone } = clonedProject();
  const watched = await Watched.begin(root);
  rmSync(root, { recursive: true });
  await expect(watched.checkpoint()).rejects.toMatchObject({ code: 'workspace-missing' });
  renameSync(clone, root);
  put(root, 'new.txt', 'new');
  await watched.look();
  await watched.expectExact('scan');
  await watched.checkpoint();
  expect(await watched.memory.arm()).toBe(true);
  shell(root, 'echo more >> new.txt');
  await watched.expectExact();
});

test('[REL-2] the workspace is renamed away and a clone of it put in its place', async () => {
  const { root, clone } = clonedProject();
  const watched = await Watched.begin(root);
  renameSync(root, `${root}-away`);
  renameSync(clone, root);
  put(root, 'src/a/one.txt', 'of the other one');
  await watched.look();
  await watched.expectExact('scan');
  expect(await watched.memory.arm()).toBe(true);
  shell(root, 'echo more >> src/a/one.txt');
  await watched.expectExact();
  rmSync(`${root}-away`, { recursive: true });
});

test('[REL-2] the workspace is gone, or exchanged, while watching begins: it is tried again at once, and not taken for a refusal', async () => {
  const { root, clone } = clonedProject();
  const watched = await Watched.begin(root);
  watched.memory.disarm();
  renameSync(root, `${root}-away`);
  expect(await watched.memory.arm()).toBe(false);
  const arming = watched.memory.arm();
  renameSync(clone, root);
  expect(await arming).toBe(false);
  expect(watched.memory.problem).toContain('another directory');
  expect(watched.memory.isRefused).toBe(false);
  expect(await watched.memory.arm()).toBe(true);
  await watched.expectExact();
});

test('[CAP-1] a file that appears between two looks under the name of a watched directory', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  for (let round = 0; round < 5; round++) {
    rmSync(join(root, 'src/b'), { recursive: true });
    if (round % 2 === 0) symlinkSync('a', join(root, 'src/b'));
    else put(root, 'src/b/three.txt', `round ${round}`);
    await watched.expectExact();
    await watched.checkpoint();
  }
});

test('[CAP-1] what is heard of after a capture began is not settled with it', async () => {
  const root = temporaryDirectory();
  for (const name of ['before', 'after']) mkdirSync(join(root, name));
  const journal = new Journal(root as ByteString, join(temporaryDirectory(), 'cookies'));
  onTestFinished(() => journal.close());
  await journal.watchAll(['', 'before', 'after'] as RelativePath[]);
  journal.settle(await journal.barrier());
  put(root, 'before/file', '1');
  const began = await journal.barrier();
  put(root, 'after/file', '1');
  await journal.barrier();
  const looked = (): string[] => ['before', 'after'].map((name) => journal.dirty().at(name as RelativePath));
  expect(looked()).toEqual(['self', 'self']);
  journal.settle(began);
  expect(looked()).toEqual(['no', 'self']);
});

test('[CAP-6] the clock is set back: edits are seen all the same', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  const { now } = Date;
  Date.now = () => now() - 3_600_000;
  try {
    shell(root, 'printf ONE > src/a/one.txt');
    await watched.expectExact();
    await watched.checkpoint();
    shell(root, 'printf EIN > src/a/one.txt');
    await watched.expectExact();
  } finally {
    Date.now = now;
  }
});
