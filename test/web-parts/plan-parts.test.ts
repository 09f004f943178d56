import { describe, expect, test } from 'vitest';
import type { Conflict, Done, Plan, PlanStep, RollbackEntry } from '../../src/web/client/types.ts';
import { groupChanges, rowsOf } from '../../src/web/plan/change-groups.ts';
import { type Choices, choosing, chosenFor, NO_CHOICE } from '../../src/web/plan/choices.ts';
import { choosable, chosenPaths } from '../../src/web/plan/chosen-paths.ts';
import { composePlan } from '../../src/web/plan/composed-plan.ts';
import { lookAtDifference, lookAtHunks } from '../../src/web/plan/look-lines.ts';
import { readMarked } from '../../src/web/plan/marked.ts';
import { doneWords, extentOf, onThePage, sortWarnings } from '../../src/web/plan/plan-words.ts';
import { fitsWords, isUndoable, originsOf } from '../../src/web/plan/rollback-history.ts';
import fc from '../support/property.ts';

const step = (type: PlanStep['type'], path: string, more: Partial<PlanStep> = {}): PlanStep => ({
  type,
  path,
  size: null,
  insertions: 1,
  deletions: 2,
  ...more,
});

const plan = (operations: readonly PlanStep[], more: Partial<Plan> = {}): Plan => ({
  target: '0'.repeat(40),
  note: null,
  codeRecorded: true,
  operations: [...operations],
  stays: [],
  running: [],
  outside: { operations: [], left: [] },
  kept: [],
  setAside: [],
  inTheWay: [],
  conflicts: [],
  warnings: [],
  leavesBehind: { steps: [], checkpoints: [] },
  goesBack: { checkpoints: 0, turns: 0, steps: 0, messages: 0 },
  scope: 'code',
  keepMine: false,
  git: null,
  conversation: null,
  expectedTree: 'tree',
  undoableUntil: null,
  ...more,
});

const conflict = (path: string, more: Partial<Conflict> = {}): Conflict => ({
  path,
  reason: 'both-changed',
  choice: null,
  steps: [],
  ours: null,
  theirs: null,
  marked: null,
  ...more,
});

const CONVERSATION = { agent: 'claude-code', from: 's', messages: 3, turns: 1, prompt: null };
const HEAD = { branch: 'main', commit: null };
const GIT = { from: HEAD, to: HEAD, refs: [], staged: { from: 0, to: 0 }, commitsLeftBehind: 0, leftBehind: [] };

describe('words', () => {
  test('the extent names files first, and folders only where there are none', () => {
    expect(extentOf(plan([]))).toBe('');
    expect(extentOf(plan([step('mkdir', 'd')]))).toBe('1 folder');
    expect(extentOf(plan([step('create', 'd/a'), step('mkdir', 'd')], { conversation: CONVERSATION }))).toBe('1 file and the conversation');
    expect(extentOf(plan([step('create', 'a'), step('delete', 'b')], { conversation: CONVERSATION, git: GIT }))).toBe(
      '2 files, the conversation and git',
    );
  });

  test('what was done is told by kind', () => {
    const done = (operations: PlanStep[], more: Partial<Done> = {}): string =>
      doneWords({ ...plan(operations), restored: 0, deleted: 0, ...more } as Done);
    expect(done([], { restored: 2, deleted: 1 })).toBe('2 files restored, 1 deleted');
    expect(done([step('chmod', 'a')], { deleted: 1200 })).toBe('1,200 files deleted, 1 changed in permissions');
    expect(done([step('rmdir', 'd')])).toBe('1 folder changed');
    expect(done([], { conversation: CONVERSATION })).toBe('the conversation');
    expect(done([], { restored: 1, conversation: CONVERSATION, git: GIT })).toBe('1 file restored; also the conversation and git');
  });

  test('flags of the command line are what they are called on the page', () => {
    expect(onThePage('git remote add origin URL adds one; or leave --push out.')).toBe(
      'git remote add origin URL adds one; or do not push.',
    );
    expect(onThePage('--all takes along what you changed there; --all-sessions too')).toBe(
      '“With my edits” takes along what you changed there; “All sessions” too',
    );
    expect(
      sortWarnings([
        "a.txt was changed by other hands than the agent's, which goes back too; --keep-mine keeps that",
        'session x worked here at the same time: what it did stays (b.txt); --all-sessions takes it back too',
        'another',
      ]),
    ).toEqual({
      ownEdits: true,
      otherSessions: 'session x worked here at the same time: what it did stays (b.txt)',
      others: ['another'],
    });
  });
});

test('changes are grouped by what happens, summed, filtered and folded', () => {
  const steps = [
    step('chmod', 'run.sh', { insertions: null, deletions: null }),
    step('create', 'src/New.ts'),
    step('mkdir', 'src'),
    step('retype', 'link'),
    step('rmdir', 'old'),
    step('delete', 'old/a'),
  ];
  const groups = groupChanges(steps);
  expect(groups.map(({ group, files, folders }) => [group, files, folders])).toEqual([
    ['create', 1, 1],
    ['restore', 2, 0],
    ['delete', 1, 1],
  ]);
  expect(groups[1]?.lines).toEqual({ insertions: 1, deletions: 2 });
  expect(groupChanges(steps, 'new')).toMatchObject([{ group: 'create', steps: [{ path: 'src/New.ts' }] }]);
  expect(rowsOf(groups, new Set(['create', 'delete'])).map(({ kind }) => kind)).toEqual(['group', 'group', 'step', 'step', 'group']);
});

describe('chosen paths', () => {
  test('nothing left out is no limit; whole directories are named as such', () => {
    const steps = [step('delete', 'd/a'), step('delete', 'd/b'), step('rmdir', 'd'), step('restore', 'e/x'), step('restore', 'e/y')];
    expect(chosenPaths(steps, new Set())).toBeUndefined();
    expect(chosenPaths(steps, new Set(['e/y']))).toEqual(['d', 'e/x']);
    expect(chosenPaths(steps, new Set(['d/a', 'd/b', 'e/x', 'e/y']))).toEqual([]);
  });

  test('a folder is chosen by itself only where nothing in it is', () => {
    expect(choosable([step('rmdir', 'd'), step('delete', 'd/a'), step('mkdir', 'empty')])).toEqual(new Set(['d/a', 'empty']));
  });

  test('what has no name in text is left out as soon as something else is, and its directory is not named for it', () => {
    const odd = step('restore', 'd/\ufffd', { pathBase64: 'ZC//' });
    expect(choosable([odd])).toEqual(new Set());
    expect(chosenPaths([odd, step('restore', 'd/a'), step('restore', 'b')], new Set(['b']))).toEqual(['d/a']);
  });

  test('more than can be asked for is refused', () => {
    const steps = Array.from({ length: 1200 }, (_, at) => step('restore', `flat/file-${at}`));
    expect(chosenPaths(steps, new Set(['flat/file-0']))).toBe('too-many');
    expect(chosenPaths([...steps, step('restore', 'other')], new Set(['other']))).toEqual(['flat']);
  });

  test('they stand for what was chosen, and for nothing else', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const files = fc.uniqueArray(
      fc.array(name, { minLength: 3, maxLength: 3 }).map((parts) => parts.join('/')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(files, fc.func(fc.boolean()), (paths, isOut) => {
        const steps = paths.map((path) => step('restore', path));
        const leftOut = new Set(paths.filter((path) => isOut(path)));
        const asked = [chosenPaths(steps, leftOut) ?? ''].flat();
        const meant = paths.filter((path) => asked.some((one) => one === '' || path === one || path.startsWith(`${one}/`)));
        expect(meant).toEqual(paths.filter((path) => !leftOut.has(path)));
      }),
    );
  });
});

describe('marked text', () => {
  const MARKED = ['<<<<<<< now', 'mine', '||||||| with it', 'agent', '=======', 'five', '>>>>>>> what it goes back to', ''].join('\n');

  test('is read as places with both sides', () => {
    expect(readMarked(`${MARKED}${MARKED}`)).toEqual({
      ours: 'now',
      theirs: 'what it goes back to',
      isCut: false,
      places: [
        { ours: ['mine'], base: ['agent'], theirs: ['five'] },
        { ours: ['mine'], base: ['agent'], theirs: ['five'] },
      ],
    });
  });

  test('with carriage returns, empty sides, no base, and cut in the middle', () => {
    expect(readMarked('<<<<<<< now\r\n=======\r\nx\r\n>>>>>>> b\r\n').places).toEqual([{ ours: [], base: null, theirs: ['x'] }]);
    expect(readMarked('<<<<<<< now\na\n=======\nb\n…\n')).toMatchObject({ isCut: true, places: [{ ours: ['a'], theirs: ['b'] }] });
    expect(readMarked('nothing of the kind\n')).toMatchObject({ places: [], ours: undefined });
  });

  test('lines that only look like markers stay lines', () => {
    expect(readMarked('<<<<<<< now\n<<<<<<< not one\n======= nor this\n=======\n=======\n>>>>>>> b\n').places).toEqual([
      { ours: ['<<<<<<< not one', '======= nor this'], base: null, theirs: ['======='] },
    ]);
  });
});

describe('choices', () => {
  test('one file apart from all others; by hand only what is text', () => {
    const all: Choices = { ...NO_CHOICE, onConflict: 'manual' };
    expect(chosenFor(all, conflict('a'))).toBeNull();
    expect(chosenFor(all, conflict('a', { marked: 'x' }))).toBe('manual');
    const apart = choosing(choosing(all, 'a', 'ours'), 'a', 'theirs');
    expect(apart.resolve).toEqual([{ path: 'a', choice: 'theirs' }]);
    expect(chosenFor(apart, conflict('a'))).toBe('theirs');
    expect(chosenFor(NO_CHOICE, conflict('a'))).toBeNull();
  });

  test('a plan for choices that differ takes each file from the plan of its choice', () => {
    const decided = (choice: Conflict['choice']) => [conflict('d/a', { choice }), conflict('d/b', { choice })];
    const base = plan([step('restore', 'z')], { conflicts: decided(null) });
    const ours = plan([step('restore', 'z')], { conflicts: decided('ours') });
    const theirs = plan([step('rmdir', 'd'), step('delete', 'd/a'), step('delete', 'd/b'), step('restore', 'z')], {
      conflicts: decided('theirs'),
    });
    const others = new Map([['ours', ours] as const, ['theirs', theirs] as const]);
    const composed = (a: 'ours' | 'theirs', b: 'ours' | 'theirs') =>
      composePlan(base, others, {
        resolve: [
          { path: 'd/a', choice: a },
          { path: 'd/b', choice: b },
        ],
      });
    const mixed = composed('ours', 'theirs');
    expect(mixed.operations.map(({ type, path }) => `${type} ${path}`)).toEqual(['delete d/b', 'restore z']);
    expect(mixed.conflicts.map(({ choice }) => choice)).toEqual(['ours', 'theirs']);
    // The folder goes when all in it go.
    expect(composed('theirs', 'theirs').operations).toEqual(theirs.operations);
    expect(composed('ours', 'ours').operations).toEqual(ours.operations);
    expect(composePlan(base, new Map(), NO_CHOICE)).toBe(base);
  });

  test('what is below a directory in the way, and where a file was before, belongs to the conflict', () => {
    const base = plan([], { conflicts: [conflict('way'), conflict('new', { was: { path: 'old' } })] });
    const theirs = plan([step('delete', 'old'), step('create', 'way/deep')], { conflicts: [] });
    const resolve = [
      { path: 'way', choice: 'theirs' as const },
      { path: 'new', choice: 'theirs' as const },
    ];
    expect(composePlan(base, new Map([['theirs', theirs]]), { resolve }).operations).toEqual(theirs.operations);
  });
});

describe('a look at a file', () => {
  const file = { path: 'a', status: 'modified' as const, insertions: 1, deletions: 1, binary: false };
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, section: '' };

  test('a difference is turned around: what goes, then what comes', () => {
    const lines = [
      { kind: 'context' as const, text: 'one' },
      { kind: 'remove' as const, text: 'then' },
      { kind: 'add' as const, text: 'now' },
      { kind: 'context' as const, text: 'two' },
    ];
    expect(
      lookAtDifference({
        ...file,
        hunks: [
          { ...hunk, lines },
          { ...hunk, lines: [] },
        ],
      }).lines,
    ).toEqual([
      { kind: 'context', text: 'one' },
      { kind: 'remove', text: 'now' },
      { kind: 'add', text: 'then' },
      { kind: 'context', text: 'two' },
      { kind: 'gap', text: '' },
    ]);
  });

  test('what has no lines says so', () => {
    expect(lookAtDifference(undefined).note).toContain('there already');
    expect(lookAtDifference({ ...file, binary: true }).note).toContain('not text');
    expect(lookAtDifference({ ...file, status: 'mode', hunks: [] }).note).toContain('permissions');
    expect(lookAtHunks([]).note).toContain('as a whole');
  });

  test('the parts that a plan tells are read by their signs, and long ones cut', () => {
    const part = { ...hunk, number: 1, digest: '', lines: [' a\n', '-b\r\n', '+c'] };
    expect(lookAtHunks([part])).toEqual({
      isCut: false,
      lines: [
        { kind: 'context', text: 'a' },
        { kind: 'remove', text: 'b' },
        { kind: 'add', text: 'c' },
      ],
    });
    const long = lookAtHunks([{ ...part, lines: Array.from({ length: 1000 }, () => '+x\n') }]);
    expect([long.isCut, long.lines.length]).toEqual([true, 300]);
  });
});

test('the history knows what an undo began with, and what can be undone', () => {
  const entry = (id: string, more: Partial<RollbackEntry> = {}): RollbackEntry => ({
    id,
    type: 'rollback',
    level: 'step',
    session: 's',
    sessions: ['s'],
    description: 'Rollback to t',
    from: 'f',
    to: 't',
    scope: 'code',
    git: false,
    only: null,
    hunks: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    outcome: 'complete',
    undoes: null,
    undoneBy: null,
    undoneAt: null,
    files: null,
    ...more,
  });
  const first = entry('1');
  const entries = [entry('3', { type: 'undo', undoes: '2' }), entry('2', { type: 'undo', undoes: '1', undoneBy: '3' }), first];
  const origins = originsOf(entries);
  expect(['1', '2', '3'].map((id) => origins.get(id)?.depth)).toEqual([0, 1, 2]);
  expect(origins.get('3')?.first).toBe(first);
  expect(originsOf(entries.slice(0, 1)).get('3')).toEqual({ first: undefined, depth: 1 });
  expect(entries.map(isUndoable)).toEqual([true, false, true]);
  expect(isUndoable(entry('4', { outcome: 'taken-back' }))).toBe(false);
  expect(fitsWords(entry('5', { only: ['src/cart.ts'] }), 'Add the tax', 'cart TAX')).toBe(true);
  expect(fitsWords(entry('5'), 'Add the tax', 'cart')).toBe(false);
});
