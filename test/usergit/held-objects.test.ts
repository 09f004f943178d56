import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listLeftBehind, PinnedObjects } from '../../src/usergit/index.ts';
import { commitAll, fingerprint, git, gitText, newDirectory, newRepository, repositoryOf, write } from './support.ts';

/** The user's own gc, as merciless as it gets. */
const collect = (top: string): void => {
  git(top, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
  git(top, ['gc', '--quiet', '--prune=now']);
};

const isThere = (top: string, id: string): boolean => {
  try {
    git(top, ['cat-file', '-e', id]);
    return true;
  } catch {
    return false;
  }
};

const reach = (top: string, id: string): string[] => gitText(top, 'rev-list', '--objects', '--no-object-names', id).split('\n').sort();

/** A repository with some history, and commits on top of it that a reset leaves behind. */
interface Scene {
  readonly top: string;
  readonly base: string;
  readonly work: string;
  readonly objects: string[];
}

const commitSome = (top: string, name: string, count = 3): string => {
  for (let n = 0; n < count; n++) {
    write(top, { [`${name}/${n}`]: `${name} ${n}\n`, shared: `shared by ${name} ${n}\n` });
    commitAll(top);
  }
  return gitText(top, 'rev-parse', 'HEAD');
};

const scene = (options: { init?: string[]; top?: string; packBase?: boolean; packWork?: boolean } = {}): Scene => {
  const top = options.top ?? newRepository(...(options.init ?? []));
  const base = commitSome(top, 'base');
  if (options.packBase) git(top, ['gc', '--quiet']);
  const work = commitSome(top, 'agent');
  if (options.packWork) git(top, ['gc', '--quiet']);
  return { top, base, work, objects: reach(top, work) };
};

const newHeld = (): { held: PinnedObjects; directory: string } => {
  const directory = join(newDirectory(), 'made/held.git');
  return { held: new PinnedObjects(directory), directory };
};

const commitsOnly = (...commits: string[]) => ({ commits, objects: [] });

const leaveBehind = ({ top, base, work }: Scene): void => {
  git(top, ['reset', '--quiet', '--hard', base]);
  collect(top);
  expect(isThere(top, work)).toBe(false);
};

const expectBack = ({ top, work, objects }: Scene): void => {
  expect(reach(top, work)).toEqual(objects);
  expect(gitText(top, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  git(top, ['checkout', '--quiet', work]);
  expect(gitText(top, 'status', '--porcelain')).toBe('');
};

describe('HeldObjects', () => {
  test.each([
    ['loose', {}],
    ['packed', { packBase: true, packWork: true }],
    ['mixed', { packBase: true }],
    ['sha256', { init: ['--object-format=sha256'], packBase: true }],
  ])('[GIT-2] commits come back after the user gc: %s', async (_, options) => {
    const made = scene(options);
    const { held, directory } = newHeld();
    expect(held.has(made.work)).toBe(false);
    expect(await held.pin(repositoryOf(made.top), commitsOnly(made.work))).toEqual({ complete: true });
    expect(held.has(made.work)).toBe(true);
    expect(reach(directory, made.work)).toEqual(made.objects);
    leaveBehind(made);
    const refs = gitText(made.top, 'for-each-ref');
    const there = reach(made.top, made.base);
    expect(await held.bringBack(repositoryOf(made.top), commitsOnly(made.work))).toBe(made.objects.length - there.length);
    expect(gitText(made.top, 'for-each-ref')).toBe(refs);
    expectBack(made);
    expect(await held.bringBack(repositoryOf(made.top), commitsOnly(made.work))).toBe(0);
    expect(gitText(directory, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });

  test('[GIT-2] what is held needs nothing of the user', async () => {
    const made = scene({ packBase: true });
    const { held, directory } = newHeld();
    await held.pin(repositoryOf(made.top), commitsOnly(made.work));
    rmSync(made.top, { recursive: true });
    expect(reach(directory, made.work)).toEqual(made.objects);
    // Nor does it need that nobody collects garbage there.
    git(directory, ['gc', '--quiet', '--prune=now']);
    expect(reach(directory, made.work)).toEqual(made.objects);
    expect([held.has(made.work), held.has(made.base)]).toEqual([true, false]);
    const fresh = newRepository();
    expect(await held.bringBack(repositoryOf(fresh), commitsOnly(made.work))).toBe(made.objects.length);
    expectBack({ ...made, top: fresh });
  });

  test('[GIT-2] packs are shared, and after them only differences are copied', async () => {
    const made = scene({ packBase: true });
    const { held, directory } = newHeld();
    const [pack = ''] = readdirSync(join(made.top, '.git/objects/pack')).filter((name) => name.endsWith('.pack'));
    await held.pin(repositoryOf(made.top), commitsOnly(made.work));
    expect(statSync(join(directory, 'objects/pack', pack)).ino).toBe(statSync(join(made.top, '.git/objects/pack', pack)).ino);
    const counted = (): number => Number(/count: (\d+)/.exec(gitText(directory, 'count-objects', '-v'))?.[1]);
    expect(counted()).toBe(made.objects.length - reach(made.top, made.base).length);
    const later = commitSome(made.top, 'later', 1);
    git(made.top, ['gc', '--quiet']);
    const before = counted();
    await held.pin(repositoryOf(made.top), commitsOnly(later));
    // A commit, two trees and two blobs.
    expect(counted() - before).toBe(5);
    expect(readdirSync(join(directory, 'objects/pack')).filter((name) => name.endsWith('.pack'))).toEqual([pack]);
    expect(reach(directory, later)).toEqual(reach(made.top, later));
  });

  test('[GIT-2] on another file system everything is copied', async () => {
    const elsewhere = mkdtempSync(join(tmpdir().startsWith('/dev/shm') ? '/tmp' : '/dev/shm', 'retake-held-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const made = scene({ packBase: true });
    expect(() => linkSync(join(made.top, 'shared'), join(elsewhere, 'probe'))).toThrow('EXDEV');
    const held = new PinnedObjects(join(elsewhere, 'held.git'));
    expect(await held.pin(repositoryOf(made.top), commitsOnly(made.work))).toEqual({ complete: true });
    expect(reach(join(elsewhere, 'held.git'), made.work)).toEqual(made.objects);
    leaveBehind(made);
    await held.bringBack(repositoryOf(made.top), commitsOnly(made.work));
    expectBack(made);
  });

  test('[GIT-2] borrowed objects, which vanish with their lender', async () => {
    const lender = scene({ packBase: true });
    const top = join(newDirectory(), 'borrower');
    git(lender.top, ['clone', '--quiet', '--shared', lender.top, top]);
    const work = commitSome(top, 'borrower');
    const objects = reach(top, work);
    const { held, directory } = newHeld();
    expect(await held.pin(repositoryOf(top), commitsOnly(work))).toEqual({ complete: true });
    rmSync(lender.top, { recursive: true });
    expect(reach(directory, work)).toEqual(objects);
  });

  test('[GIT-2] staged blobs and trees, kept by a tree made for them', async () => {
    const made = scene();
    write(made.top, { staged: 'only staged\n', 'folder/in': 'a tree\n' });
    git(made.top, ['add', '--all']);
    const blob = gitText(made.top, 'rev-parse', ':staged');
    const tree = gitText(made.top, 'write-tree');
    const { held, directory } = newHeld();
    const holding = { commits: [made.work], objects: [blob, tree] };
    expect(await held.pin(repositoryOf(made.top), holding)).toEqual({ complete: true });
    git(made.top, ['reset', '--quiet', '--hard', made.base]);
    collect(made.top);
    expect([isThere(made.top, blob), isThere(made.top, tree)]).toEqual([false, false]);
    git(directory, ['gc', '--quiet', '--prune=now']);
    await held.bringBack(repositoryOf(made.top), holding);
    git(made.top, ['read-tree', tree]);
    expect(gitText(made.top, 'show', ':staged')).toBe('only staged');
    expect(gitText(made.top, 'show', ':folder/in')).toBe('a tree');
    expect(gitText(made.top, 'fsck', '--full', '--no-dangling')).toBe('');
    // The same again makes nothing new.
    const before = fingerprint(join(directory, 'refs'));
    await held.pin(repositoryOf(made.top), { commits: [], objects: [] });
    expect(fingerprint(join(directory, 'refs'))).toBe(before);
  });

  test('[GIT-2] a repository without commits, only staged', async () => {
    const top = newRepository();
    write(top, { a: 'staged\n' });
    git(top, ['add', 'a']);
    const blob = gitText(top, 'rev-parse', ':a');
    const { held } = newHeld();
    expect(await held.pin(repositoryOf(top), { commits: [], objects: [blob] })).toEqual({ complete: true });
    git(top, ['rm', '--quiet', '--cached', 'a']);
    collect(top);
    expect(await held.bringBack(repositoryOf(top), { commits: [], objects: [blob] })).toBe(1);
    expect(gitText(top, 'cat-file', 'blob', blob)).toBe('staged');
  });

  test('[GIT-2] submodules stay what they are: commits of other repositories', async () => {
    const inner = scene();
    const top = newRepository();
    git(top, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.top, 'inner']);
    const made = scene({ top });
    const { held } = newHeld();
    expect(await held.pin(repositoryOf(top), commitsOnly(made.work))).toEqual({ complete: true });
    leaveBehind(made);
    await held.bringBack(repositoryOf(top), commitsOnly(made.work));
    expectBack(made);
  });

  test('[GIT-2] a shallow clone, whose boundary the user gc has forgotten', async () => {
    const origin = scene();
    const top = join(newDirectory(), 'shallow');
    git(origin.top, ['clone', '--quiet', '--depth=2', `file://${origin.top}`, top]);
    const work = commitSome(top, 'agent');
    const made = { top, base: '', work, objects: reach(top, work) };
    const { held, directory } = newHeld();
    expect(await held.pin(repositoryOf(top), commitsOnly(work))).toEqual({ complete: true });
    expect(reach(directory, work)).toEqual(made.objects);
    git(top, ['checkout', '--quiet', '--orphan', 'anew']);
    git(top, ['commit', '--quiet', '--message=anew']);
    for (const ref of ['refs/heads/main', 'refs/remotes/origin/main', 'refs/remotes/origin/HEAD'])
      git(top, ['update-ref', '--no-deref', '-d', ref]);
    collect(top);
    expect(isThere(top, work)).toBe(false);
    expect(existsSync(join(top, '.git/shallow'))).toBe(false);
    await held.bringBack(repositoryOf(top), commitsOnly(work));
    expectBack(made);
  });

  test('[GIT-2] a clone that is no longer shallow is held in full from then on', async () => {
    const origin = scene();
    const top = join(newDirectory(), 'shallow');
    git(origin.top, ['clone', '--quiet', '--depth=2', `file://${origin.top}`, top]);
    const { held, directory } = newHeld();
    await held.pin(repositoryOf(top), commitsOnly(commitSome(top, 'first')));
    git(top, ['fetch', '--quiet', '--unshallow']);
    const work = commitSome(top, 'second');
    expect(await held.pin(repositoryOf(top), commitsOnly(work))).toEqual({ complete: true });
    expect(reach(directory, work)).toEqual(reach(top, work));
    expect(gitText(directory, 'fsck', '--full', '--no-dangling')).toBe('');
    // Nor does it lose what it has when the clone becomes shallow again.
    git(top, ['fetch', '--quiet', '--depth=1']);
    const third = commitSome(top, 'third');
    expect(await held.pin(repositoryOf(top), commitsOnly(third))).toEqual({ complete: true });
    expect(reach(directory, third)).toEqual(expect.arrayContaining(reach(origin.top, origin.work)));
  });

  test.each(['blob:none', 'tree:0'])('[CAP-10] a partial clone (%s): what is there is held, nothing is fetched', async (filter) => {
    const origin = scene();
    git(origin.top, ['config', 'uploadpack.allowFilter', 'true']);
    git(origin.top, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
    const top = join(newDirectory(), 'partial');
    git(origin.top, ['clone', '--quiet', `--filter=${filter}`, `file://${origin.top}`, top]);
    const work = commitSome(top, 'partial');
    const lost = gitText(origin.top, 'rev-parse', `${origin.base}:shared`);
    const blob = gitText(top, 'rev-parse', `${work}:shared`);
    const traces = newDirectory();
    git(top, ['config', 'remote.origin.url', `ext::touch ${join(traces, 'ran')}`]);
    git(top, ['config', 'protocol.ext.allow', 'always']);
    const { held, directory } = newHeld();
    expect(await held.pin(repositoryOf(top), { commits: [work], objects: [lost, blob] })).toEqual({ complete: false });
    expect(gitText(directory, 'show', `${work}:shared`)).toBe('shared by partial 2');
    expect(held.has(work)).toBe(true);
    git(top, ['reset', '--quiet', '--hard', 'HEAD~3']);
    // Fetched are packs; loose is what was made here.
    const loose = readdirSync(join(top, '.git/objects')).filter((name) => /^..$/.test(name));
    expect(loose).toContain(work.slice(0, 2));
    for (const name of loose) rmSync(join(top, '.git/objects', name), { recursive: true });
    await held.bringBack(repositoryOf(top), { commits: [work], objects: [blob] });
    expect(gitText(top, 'show', `${work}:shared`)).toBe('shared by partial 2');
    expect(readdirSync(traces)).toEqual([]);
  });

  test('[GIT-2] grafts and replacements do not hide what is there', async () => {
    const made = scene();
    const { held, directory } = newHeld();
    git(made.top, ['replace', '--graft', made.work]);
    writeFileSync(join(made.top, '.git/info/grafts'), `${made.base}\n`);
    await held.pin(repositoryOf(made.top), commitsOnly(made.work));
    expect(reach(directory, made.work)).toEqual(made.objects);
  });

  test('[GIT-2] packs that miss what they should have are made good by a copy', async () => {
    const made = scene({ packBase: true, packWork: true });
    const { held, directory } = newHeld();
    const pack = join(made.top, '.git/objects/pack');
    const [index = ''] = readdirSync(pack).filter((name) => name.endsWith('.idx'));
    // Such a one is not linked.
    const whole = join(pack, index);
    git(made.top, ['index-pack', '--index-version=1', whole.replace(/idx$/, 'pack'), '-o', join(made.top, 'first-version')]);
    rmSync(whole);
    linkSync(join(made.top, 'first-version'), whole);
    expect(await held.pin(repositoryOf(made.top), commitsOnly(made.work))).toEqual({ complete: true });
    expect(reach(directory, made.work)).toEqual(made.objects);
  });

  test('[REL-6] what neither has is named', async () => {
    const made = scene();
    const { held } = newHeld();
    const unknown = '1'.repeat(40);
    const refusal = expect.objectContaining({ code: 'store-damaged', details: { ids: [unknown] } });
    await expect(held.bringBack(repositoryOf(made.top), commitsOnly(unknown, made.work))).rejects.toThrow(refusal);
    expect(await held.pin(repositoryOf(made.top), commitsOnly(unknown, made.work))).toEqual({ complete: false });
    expect([held.has(unknown), held.has(made.work)]).toEqual([false, true]);
    await expect(held.bringBack(repositoryOf(made.top), commitsOnly(unknown, made.work))).rejects.toThrow(refusal);
  });

  test('[CAP-10] holding changes nothing in the repository', async () => {
    const made = scene();
    const { held } = newHeld();
    const before = fingerprint(made.top);
    await held.pin(repositoryOf(made.top), commitsOnly(made.work));
    expect(fingerprint(made.top)).toBe(before);
  });
});

describe('listLeftBehind', () => {
  const count = async (top: string, leaving: string[], staying: string[] = []): Promise<number> =>
    (await listLeftBehind(repositoryOf(top), { leaving, staying })).length;

  test('[GIT-2] commits that nothing else reaches', async () => {
    const { top, base, work } = scene();
    expect(await count(top, ['refs/heads/main'], [base])).toBe(3);
    expect(await count(top, ['refs/heads/main'], [work])).toBe(0);
    expect(await count(top, ['refs/heads/main'])).toBe(6);
    expect(await count(top, [work], [base])).toBe(0);
    git(top, ['branch', 'kept', 'main~1']);
    expect(await count(top, ['refs/heads/main'], [base])).toBe(1);
    expect(await count(top, ['refs/heads/main', 'refs/heads/kept'], [base])).toBe(3);
    git(top, ['tag', '--annotate', '--message=x', 'v1', 'main']);
    expect(await count(top, ['refs/heads/main'], [base])).toBe(0);
  });

  test('[GIT-2] a detached HEAD, remote branches, other work trees, and what is not there', async () => {
    const { top, base } = scene();
    git(top, ['checkout', '--quiet', '--detach']);
    const detached = commitSome(top, 'detached', 2);
    expect(await count(top, [detached], [base])).toBe(2);
    expect(await count(top, [detached, 'refs/heads/main'], [base])).toBe(5);
    expect(await count(top, ['2'.repeat(40), 'refs/heads/none'], [base])).toBe(0);
    git(top, ['update-ref', 'refs/remotes/origin/main', 'HEAD~1']);
    expect(await count(top, [detached], [base])).toBe(1);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', '--detach', linked, detached]);
    expect(await count(top, [detached], [base])).toBe(0);
    expect(await count(linked, [detached], [base])).toBe(0);
    git(top, ['checkout', '--quiet', 'main']);
    expect(await count(linked, [detached], [base])).toBe(1);
  });
});
