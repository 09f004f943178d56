import { rmSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { mergeStates, type ReplayStep, replaySteps, reversed } from '../../src/diff/index.ts';
import type { MergeChoice, WorkspaceState } from '../../src/model/index.ts';
import { Store } from '../../src/store/index.ts';
import { gitIn } from '../support/git.ts';
import { directory, file, link, mergeStory, model, reasons } from '../support/merge-story.ts';
import { looseFile } from '../support/private-store.ts';
import { applied, emptyStore, type Item, type Model, storeModel } from '../support/state-model.ts';

type Items = Record<string, Item>;

/** Ten lines that no other name has. */
const text = (name: string, edits: Record<number, string> = {}): string =>
  Array.from({ length: 10 }, (_, at) => `${edits[at] ?? `line ${at} of ${name}`}\n`).join('');

const swapped: Record<MergeChoice, MergeChoice> = { ours: 'theirs', theirs: 'ours', manual: 'manual', skip: 'skip' };

/** Merged as told and with the sides exchanged, which has to come to the same. */
const inBothDirections = ({ base, renaming, other }: { base: Items; renaming: Items; other: Items }) => {
  const there = mergeStory({ base, ours: renaming, theirs: other });
  const back = mergeStory({ base, ours: other, theirs: renaming });
  expect(reasons(back.merge)).toEqual(reasons(there.merge));
  const result = (choice?: MergeChoice) => {
    const made = there.result(choice);
    if (choice === undefined || choice === 'ours' || choice === 'theirs') expect(back.result(choice && swapped[choice])).toEqual(made);
    return made;
  };
  return { there, back, reasons: reasons(there.merge), result };
};

describe('a rename is followed', () => {
  test('[RST-9] what the other side changed comes to the new name: lines, and permission bits', () => {
    const { result } = inBothDirections({
      base: { p: file(text('p')), r: file(text('r')) },
      renaming: { q: file(text('p')), s: file(text('r')) },
      other: { p: file(text('p', { 3: 'edited' })), r: file(text('r'), 0o755) },
    });
    expect(result()).toEqual({ q: file(text('p', { 3: 'edited' })), s: file(text('r'), 0o755) });
  });

  test('[RST-9] with edits on both sides, and bits changed along with the name', () => {
    const { result } = inBothDirections({
      base: { p: file(text('p')) },
      renaming: { q: file(text('p', { 8: 'edited after moving' }), 0o600) },
      other: { p: file(text('p', { 1: 'edited before' })) },
    });
    expect(result()).toEqual({ q: file(text('p', { 1: 'edited before', 8: 'edited after moving' }), 0o600) });
  });

  test('[RST-9] binary files and links by the same content alone', () => {
    const { reasons, result } = inBothDirections({
      base: { bin: file('b\0b'), link: link('there'), far: file(`b\0${text('far')}`), way: link('here') },
      renaming: { 'bin 2': file('b\0b'), 'link 2': link('there'), 'far 2': file(`c\0${text('far')}`), 'way 2': link('here!') },
      other: { bin: file('o\0o'), link: link('elsewhere'), far: file(`o\0${text('far')}`), way: link('nowhere') },
    });
    expect(reasons).toEqual({ far: 'changed-and-deleted', way: 'changed-and-deleted' });
    expect(result('theirs')).toMatchObject({ 'bin 2': file('o\0o'), 'link 2': link('elsewhere') });
  });

  test('[RST-9] both sides gave it the same new name: its past is what both were made of', () => {
    const { result } = inBothDirections({
      base: { p: file(text('p')), r: file(text('r')) },
      renaming: { q: file(text('p', { 1: 'one' })), s: file(text('r'), 0o600) },
      other: { q: file(text('p', { 8: 'other' })), s: file(text('r')) },
    });
    expect(result()).toEqual({ q: file(text('p', { 1: 'one', 8: 'other' })), s: file(text('r'), 0o600) });
  });

  test('[RST-9] a file of the same new name that has nothing of the old one is no rename of it', () => {
    const { reasons } = inBothDirections({
      base: { p: file(text('p')) },
      renaming: { q: file(text('p')) },
      other: { q: file(text('another')) },
    });
    expect(reasons).toEqual({ q: 'both-added' });
  });

  test('[RST-9] a directory with all that is in it: nothing is left of the old one, and the new one is as it was made', () => {
    const { result } = inBothDirections({
      base: {
        old: directory(0o700),
        'old/in': directory(),
        'old/in/a': file(text('a')),
        'old/in/b': file(text('b')),
        'old/c': file(text('c')),
      },
      renaming: {
        new: directory(0o750),
        'new/in': directory(),
        'new/in/a': file(text('a')),
        'new/in/b': file(text('b')),
        'new/c': file(text('c')),
      },
      other: {
        old: directory(0o700),
        'old/in': directory(),
        'old/in/a': file(text('a', { 2: 'edited' })),
        'old/in/b': file(text('b')),
        'old/c': file(text('c'), 0o755),
      },
    });
    expect(result()).toEqual({
      new: directory(0o750),
      'new/in': directory(),
      'new/in/a': file(text('a', { 2: 'edited' })),
      'new/in/b': file(text('b')),
      'new/c': file(text('c'), 0o755),
    });
  });

  test('[RST-9] into a directory that the other side deleted, and out of one that it put something into', () => {
    const { result } = inBothDirections({
      base: { d: directory(), 'd/p': file(text('p')), e: directory(), 'e/x': file(text('x')) },
      renaming: { e: directory(), 'e/x': file(text('x')), 'e/q': file(text('p')) },
      other: { d: directory(), 'd/p': file(text('p', { 5: 'edited' })), 'd/new': file('new\n') },
    });
    expect(result()).toEqual({ d: directory(), 'd/new': file('new\n'), e: directory(), 'e/q': file(text('p', { 5: 'edited' })) });
  });

  test('[RST-9] into a directory in place of a file that both sides gave up', () => {
    const { result } = inBothDirections({
      base: { p: file(text('p')), e: file('e\n') },
      renaming: { e: directory(), 'e/q': file(text('p')) },
      other: { p: file(text('p', { 5: 'edited' })) },
    });
    expect(result()).toEqual({ e: directory(), 'e/q': file(text('p', { 5: 'edited' })) });
  });
});

describe('what is no rename, or not certainly one', () => {
  test('[RST-9] deleted on the one side, renamed on the other: the new one stays; given two names: both stay', () => {
    const { reasons, result } = inBothDirections({
      base: { p: file(text('p')), r: file(text('r')), two: file(text('two')) },
      renaming: { q: file(text('p')), s: file(text('r', { 1: 'edited' })), 'two a': file(text('two', { 1: 'a' })) },
      other: { 'two b': file(text('two')) },
    });
    expect(reasons).toEqual({});
    expect(result()).toEqual({
      q: file(text('p')),
      s: file(text('r', { 1: 'edited' })),
      'two a': file(text('two', { 1: 'a' })),
      'two b': file(text('two')),
    });
  });

  test('[RST-9] names that are exchanged, or handed on, or that were there before', () => {
    const swap = inBothDirections({
      base: { a: file(text('a')), b: file(text('b')) },
      renaming: { a: file(text('b')), b: file(text('a')) },
      other: { a: file(text('a', { 1: 'edited' })), b: file(text('b')) },
    });
    expect(swap.reasons).toEqual({ a: 'both-changed' });
    // What c has was b's: it is not taken for an edited form of a, although it is like it.
    const like = (first: string) => text('both', { 0: first });
    const chain = inBothDirections({
      base: { a: file(like('a')), b: file(like('b')) },
      renaming: { b: file(like('a')), c: file(like('b')) },
      other: { a: file(text('both', { 0: 'a', 5: 'edited' })), b: file(like('b')) },
    });
    expect(chain.reasons).toEqual({ a: 'changed-and-deleted' });
    const old = inBothDirections({
      base: { p: file(text('p')), q: file('q\n') },
      renaming: { q: file(text('p')) },
      other: { p: file(text('p', { 1: 'edited' })), q: file('q\n') },
    });
    expect(old.reasons).toEqual({ p: 'changed-and-deleted' });
  });

  test('[RST-9] an empty file, one with too little in common, and one where the other side has something too', () => {
    const few = Object.fromEntries([0, 1, 2, 3, 4, 5].map((at) => [at, `rewritten, line ${at}`]));
    const { reasons } = inBothDirections({
      base: { empty: file(''), p: file(text('p')), r: file(text('r')), t: file(text('t')), v: file(text('v')), w: file('w\n') },
      renaming: {
        'empty 2': file(''),
        q: file(text('p', few)),
        s: file(text('r')),
        u: directory(),
        'u/t': file(text('t')),
        w: directory(),
        'w/v': file(text('v')),
      },
      other: {
        empty: file('no more\n'),
        p: file(text('p', { 9: 'edited' })),
        r: file(text('r', { 9: 'edited' })),
        s: file('s\n'),
        t: file(text('t', { 9: 'edited' })),
        u: file('u\n'),
        v: file(text('v', { 9: 'edited' })),
        w: file('w\n'),
      },
    });
    // Also where a directory took the place of a file that the other side left alone.
    expect(reasons).toEqual({
      empty: 'changed-and-deleted',
      p: 'changed-and-deleted',
      r: 'changed-and-deleted',
      s: 'both-added',
      t: 'changed-and-deleted',
      u: 'directory-in-the-way',
      v: 'changed-and-deleted',
    });
  });

  test('[RST-9] several of the same content: each goes to one, by base name, then to the nearest', () => {
    const same = text('same');
    const edited = (at: number) => file(text('same', { [at]: 'edited' }));
    const directories = (...paths: string[]): Items => Object.fromEntries(paths.map((path) => [path, directory()]));
    const { result } = inBothDirections({
      base: { ...directories('d', 'd/in', 'e'), 'd/in/x': file(same), 'd/in/y': file(same), 'e/x': file(same) },
      // By byte order alone d's would go to where e's is now; by the directory alone to one of another name.
      renaming: { ...directories('a', 'a/e', 'd', 'd/in', 'n'), 'a/e/x': file(same), 'd/in/z': file(same), 'n/x': file(same) },
      other: { ...directories('d', 'd/in', 'e'), 'd/in/x': edited(1), 'd/in/y': edited(2), 'e/x': edited(3) },
    });
    expect(result()).toMatchObject({ 'n/x': edited(1), 'd/in/z': edited(2), 'a/e/x': edited(3) });
  });

  test('[RST-9] what is more like another file that is gone was made of that one, or of the one of its name', () => {
    const like = (edits: Record<number, string>) => text('both', edits);
    const { reasons } = inBothDirections({
      base: { a: file(like({ 0: 'a', 1: 'a' })), b: file(like({ 0: 'b', 1: 'b' })) },
      renaming: { c: file(like({ 0: 'b', 1: 'b', 9: 'edited' })) },
      other: { a: file(like({ 0: 'a', 1: 'a', 5: 'edited' })), b: file(like({ 0: 'b', 1: 'b' })) },
    });
    expect(reasons).toEqual({ a: 'changed-and-deleted' });
    const same = inBothDirections({
      base: { a: file(text('same')), x: file(text('same')) },
      renaming: { d: directory(), 'd/x': file(text('same')) },
      other: { a: file(text('same', { 1: 'edited' })), x: file(text('same')) },
    });
    expect(same.reasons).toEqual({ a: 'changed-and-deleted' });
  });
});

describe('a conflict in something renamed', () => {
  const [base, renamed, other] = [text('p'), text('p', { 4: 'moved' }), text('p', { 4: 'stayed' })];
  const items = {
    base: { old: directory(), 'old/p': file(base) },
    renaming: { new: directory(), 'new/q': file(renamed) },
    other: { old: directory(), 'old/p': file(other) },
  };
  const marked = (ours: string, theirs: string): string =>
    base.replace('line 4 of p\n', `<<<<<<< ours\n${ours}\n||||||| base\nline 4 of p\n=======\n${theirs}\n>>>>>>> theirs\n`);

  test('[RST-9] is at the new name, and each choice has it in one place, with its directory', () => {
    const { there, back, reasons, result } = inBothDirections(items);
    expect(reasons).toEqual({ 'new/q': 'both-changed' });
    expect(there.merge.conflicts).toMatchObject([{ renamed: { from: 'old/p', by: 'ours' } }]);
    expect(back.merge.conflicts).toMatchObject([{ renamed: { from: 'old/p', by: 'theirs' } }]);
    expect(result('ours')).toEqual(items.renaming);
    expect(result('theirs')).toEqual({ new: directory(), 'new/q': items.other['old/p'] });
    expect(there.result('skip')).toEqual(items.renaming);
    expect(back.result('skip')).toEqual(items.other);
    expect(there.result('manual')).toEqual({ new: directory(), 'new/q': file(marked('moved', 'stayed')) });
    expect(back.result('manual')).toEqual({ new: directory(), 'new/q': file(marked('stayed', 'moved')) });
  });

  test('[RST-9] of both sides under the same new name has the past between the markers', () => {
    const { there } = inBothDirections({
      base: { p: file(base) },
      renaming: { q: file(renamed) },
      other: { q: file(other) },
    });
    expect(there.merge.conflicts).toMatchObject([{ path: 'q', reason: 'both-changed', renamed: { from: 'p', by: 'both' } }]);
    expect(there.result('manual')).toEqual({ q: file(marked('moved', 'stayed')) });
    expect(there.result('theirs')).toEqual({ q: file(other) });
  });
});

describe('steps taken out after a rename', () => {
  const stored = ({ objects }: Store, state: Model): WorkspaceState => {
    const batch = objects.begin();
    const ids = storeModel(batch, state);
    batch.flush();
    return ids;
  };

  const takenOut = (states: readonly Items[], present: Items, partial = false) => {
    const store = emptyStore();
    const ids = states.map((items) => stored(store, model(items)));
    const steps = ids.slice(1).map((after, at): ReplayStep => ({ before: ids[at] as WorkspaceState, after, partial }));
    const replay = replaySteps(store.objects, store.objects.begin(), stored(store, model(present)), reversed(steps));
    return { replay, files: Object.fromEntries(applied(store.objects, model(present), replay.changes)) };
  };

  test('[RST-9] an edit goes out of the file under its later name', () => {
    const { files } = takenOut([{ p: file(text('p')) }, { p: file(text('p', { 3: 'by the agent' })) }], {
      q: file(text('p', { 3: 'by the agent', 8: 'by me' })),
    });
    expect(files).toEqual({ q: file(text('p', { 8: 'by me' })) });
  });

  test('[RST-9] a rename is taken back with what was written since under the new name', () => {
    const { files } = takenOut([{ p: file(text('p')) }, { q: file(text('p')) }], { q: file(text('p', { 8: 'by me' })) });
    expect(files).toEqual({ p: file(text('p', { 8: 'by me' })) });
  });

  test('[RST-9] a conflict under the later name tells the steps that changed the file under its old one', () => {
    const states = [
      { p: file(text('p')), x: file('1\n') },
      { p: file(text('p', { 3: 'by the agent' })), x: file('1\n') },
      { p: file(text('p', { 3: 'by the agent' })), x: file('2\n') },
    ];
    const { replay } = takenOut(states, { q: file(text('p', { 3: 'by me' })), x: file('2\n') });
    // Taken out the last one first.
    expect(replay.conflicts).toMatchObject([{ path: 'q', reason: 'both-changed', steps: [1] }]);
  });

  test('[GIT-6] a step that knows its own paths alone can not tell that a file beside them is new', () => {
    const states = [{ p: file(text('p')) }, { p: file(text('p', { 3: 'edited' })) }];
    const { replay } = takenOut(states, { q: file(text('p', { 3: 'edited' })) }, true);
    expect(replay.conflicts).toMatchObject([{ path: 'p', reason: 'changed-and-deleted' }]);
  });
});

describe('what following costs', () => {
  test('[PRF-2] without a conflict that a rename may explain, nothing is looked for', () => {
    const store = emptyStore();
    const batch = store.objects.begin();
    const states = {
      base: storeModel(batch, model({ p: file(text('p')), r: file('1\n') })),
      ours: storeModel(batch, model({ n: directory(), 'n/p': file(text('p')), r: file('2\n') })),
      theirs: storeModel(batch, model({ p: file(text('p')), r: file('3\n') })),
    };
    batch.flush();
    rmSync(looseFile(store.directory, gitIn(store.directory, 'rev-parse', `${states.ours.files}:n`).trim()));
    const { conflicts } = mergeStates(Store.open(store.directory, 'process').objects, states);
    expect(conflicts).toMatchObject([{ path: 'r', reason: 'both-changed' }]);
  });

  test('[PRF-2] content is read only where its size lets it be alike', () => {
    const store = emptyStore();
    const batch = store.objects.begin();
    const large = 'x'.repeat(10_000);
    const states = {
      base: storeModel(batch, model({ p: file(text('p')) })),
      ours: storeModel(batch, model({ q: file(text('p', { 1: 'edited' })), large: file(large) })),
      theirs: storeModel(batch, model({ p: file(text('p', { 8: 'edited' })) })),
    };
    const unneeded = batch.blob(Buffer.from(large));
    batch.flush();
    // Its size can still be told, but reading it fails.
    const place = looseFile(store.directory, unneeded);
    rmSync(place);
    writeFileSync(place, deflateSync(`blob ${large.length}\0${'y'.repeat(large.length)}`));
    const { objects } = Store.open(store.directory, 'process');
    expect(() => objects.readBlob(unneeded)).toThrow();
    expect(mergeStates(objects, states)).toMatchObject({ changes: [{ path: 'q' }], conflicts: [] });
  });
});
