import { describe, expect, test } from 'vitest';
import { type Replay, type ReplayChoices, type ReplayStep, replaySteps, reversed } from '../../src/diff/index.ts';
import type { MergeChoice, RelativePath, WorkspaceState } from '../../src/model/index.ts';
import type { Store } from '../../src/store/index.ts';
import { file, model } from '../support/merge-story.ts';
import fc from '../support/property.ts';
import { applied, emptyStore, histories, type Model, storeModel } from '../support/state-model.ts';

const stored = ({ objects }: Store, state: Model): WorkspaceState => {
  const batch = objects.begin();
  const ids = storeModel(batch, state);
  batch.flush();
  return ids;
};

const replay = ({ objects }: Store, onto: WorkspaceState, steps: readonly ReplayStep[], choices: ReplayChoices = {}): Replay =>
  replaySteps(objects, objects.begin(), onto, steps, choices);

/** A line each, which both writers can change without touching the other's. */
const LINES = ['agent 1', 'agent 2', 'between', 'person 1', 'person 2'];
type Writer = 'agent' | 'person';
interface Edit {
  readonly writer: Writer;
  readonly path: string;
  readonly line: number;
  readonly text: string | null;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  writer: fc.constantFrom('agent', 'person'),
  path: fc.constantFrom('a', 'b', 'own'),
  line: fc.constantFrom(0, 1),
  text: fc.option(fc.stringMatching(/^[a-z]{1,3}$/)),
});

/** Files as lines of each writer; `own` is a file that each writer has by itself, and both can delete. */
const worked = (edits: readonly Edit[]): Model => {
  const files = new Map<string, (string | null)[]>([
    ['a', [...LINES]],
    ['b', [...LINES]],
  ]);
  for (const { writer, path, line, text } of edits) {
    const name = path === 'own' ? `of ${writer}` : path;
    const lines = files.get(name);
    if (path === 'own') {
      if (text === null) files.delete(name);
      else files.set(name, [text]);
    } else if (lines !== undefined) lines[line + (writer === 'agent' ? 0 : 3)] = text && `${text} by ${writer} ${line}`;
  }
  return new Map([...files].map(([path, lines]) => [path, file(lines.map((line) => (line === null ? '' : `${line}\n`)).join(''))]));
};

describe('laws of replaying', () => {
  const stepsOf = (store: Store, states: readonly Model[]): ReplayStep[] => {
    const ids = states.map((state) => stored(store, state));
    return ids.slice(1).map((state, at) => ({ before: ids[at] as WorkspaceState, after: state }));
  };

  test('[GIT-6] a history done again on its own beginning gives its end, and taken out of its end its beginning', () => {
    const store = emptyStore();
    fc.assert(
      fc.property(histories({ permissions: [0o644, 0o755, 0o600], beyondGit: true }), (states) => {
        const steps = stepsOf(store, states);
        const [first, last] = [steps[0]?.before, steps.at(-1)?.after] as [WorkspaceState, WorkspaceState];
        expect(replay(store, first, steps)).toMatchObject({ state: last, conflicts: [], done: steps.length });
        expect(replay(store, last, reversed(steps))).toMatchObject({ state: first, conflicts: [], done: steps.length });
      }),
      { numRuns: 150 },
    );
  });

  test('[RST-10] the work of one of two writers is taken out and done again, whatever the order they worked in', () => {
    const store = emptyStore();
    let interleaved = 0;
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 10, size: 'max' }), (edits) => {
        const steps = stepsOf(store, [worked([]), ...edits.map((_, at) => worked(edits.slice(0, at + 1)))]);
        const of = (writer: Writer) => steps.filter((_, at) => edits[at]?.writer === writer);
        const alone = (writer: Writer) => stored(store, worked(edits.filter((one) => one.writer === writer)));
        const [end, beginning] = [stored(store, worked(edits)), stored(store, worked([]))];
        if (edits.some(({ writer }, at) => at > 1 && writer === 'agent' && edits[at - 1]?.writer === 'person')) interleaved++;
        for (const [out, stays] of [
          ['agent', 'person'],
          ['person', 'agent'],
        ] as const) {
          const taken = replay(store, end, reversed(of(out)));
          expect(taken).toMatchObject({ state: alone(stays), conflicts: [] });
          expect(replay(store, taken.state, of(out))).toMatchObject({ state: end, conflicts: [] });
          expect(replay(store, beginning, of(stays))).toMatchObject({ state: alone(stays), conflicts: [] });
        }
      }),
      { numRuns: 150 },
    );
    expect(interleaved).toBeGreaterThan(30);
  });
});

describe('replaySteps', () => {
  /** Two steps on `f` with a gap between them, and one on `g`; the present has another first line. */
  const story = (choices: ReplayChoices = {}) => {
    const store = emptyStore();
    const at = (f: string, g = 'g\n') => stored(store, model({ f: file(f), g: file(g) }));
    const ours = model({ f: file('ours\n2\n3\n'), g: file('g\n') });
    const steps = [
      { before: at('1\n2\n3\n'), after: at('one\n2\n3\n'), labels: { ours: 'now', base: 'before', theirs: 'first' } },
      { before: at('one\n2\nx\n'), after: at('one\n2\nx\n', 'G\n') },
    ];
    const result = replay(store, stored(store, ours), steps, choices);
    return { result, files: Object.fromEntries(applied(store.objects, ours, result.changes)), store };
  };

  test('[RST-9] an open conflict leaves ours there and is told with both sides; the steps after it go on', () => {
    const { result, files, store } = story();
    expect(files).toEqual({ f: file('ours\n2\n3\n'), g: file('G\n') });
    expect(result.done).toBe(2);
    expect(result.conflicts).toMatchObject([{ steps: [0], path: 'f', reason: 'both-changed', choice: null }]);
    const text = (node: unknown) => store.objects.readBlob((node as { blob: never }).blob).toString();
    const [conflict] = result.conflicts;
    expect([conflict?.base, conflict?.ours, conflict?.theirs, conflict?.manual].map(text)).toEqual([
      '1\n2\n3\n',
      'ours\n2\n3\n',
      'one\n2\n3\n',
      '<<<<<<< now\nours\n||||||| before\n1\n=======\none\n>>>>>>> first\n2\n3\n',
    ]);
  });

  test.each<[MergeChoice, string]>([
    ['ours', 'ours\n2\n3\n'],
    ['skip', 'ours\n2\n3\n'],
    ['theirs', 'one\n2\n3\n'],
    ['manual', '<<<<<<< now\nours\n||||||| before\n1\n=======\none\n>>>>>>> first\n2\n3\n'],
  ])('[RST-9] chosen for a path: %s', (choice, content) => {
    const { result, files } = story({ paths: new Map([['f' as RelativePath, choice]]) });
    expect(result.conflicts).toMatchObject([{ path: 'f', choice }]);
    expect(files).toEqual({ f: file(content), g: file('G\n') });
  });

  test('[GIT-6] it can stop where something is left to be finished by hand', () => {
    const { result, files } = story({ rest: 'manual', stopsAtMarkers: true });
    expect(result.done).toBe(1);
    expect(files.g).toEqual(file('g\n'));
  });

  test('[RST-9] steps without a gap are one change, and a conflict names those of them that changed the path', () => {
    const store = emptyStore();
    const at = (f: string, g: string) => stored(store, model({ f: file(f), g: file(g) }));
    const states = [at('1\n', 'g\n'), at('2\n', 'g\n'), at('2\n', 'G\n'), at('3\n', 'G\n')] as const;
    const steps = [0, 1, 2].map((first) => ({ before: states[first], after: states[first + 1] }) as ReplayStep);
    const { conflicts } = replay(store, at('ours\n', 'g\n'), steps);
    expect(conflicts).toMatchObject([{ path: 'f', steps: [0, 2] }]);
    expect(conflicts).toHaveLength(1);
  });
});
