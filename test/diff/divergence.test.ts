import { describe, expect, test } from 'vitest';
import { type Divergence, divergence } from '../../src/diff/index.ts';
import type { Store } from '../../src/store/index.ts';
import fc from '../support/property.ts';
import { emptyStore, type Item, type Model, storeModel, threeModels } from '../support/state-model.ts';

const file = (text: string, permissions = 0o644): Item => ({ type: 'file', text, permissions });
const model = (items: Record<string, Item>): Model => new Map(Object.entries(items));

const between = ({ objects }: Store, base: Model, a: Model, b: Model): Divergence => {
  const batch = objects.begin();
  const states = [base, a, b].map((state) => storeModel(batch, state)) as [never, never, never];
  batch.flush();
  return divergence(objects, ...states);
};

describe('divergence', () => {
  const story = (base: Record<string, Item>, a: Record<string, Item>, b: Record<string, Item>) =>
    between(emptyStore(), model(base), model(a), model(b));

  test('[FRK-5] is the share of changed lines that the sides do not have in common', () => {
    const { score, changed, common } = story(
      { f: file('1\n2\n3\n4\n') },
      { f: file('one\n2\n3\nfour\n') },
      { f: file('one\n2\n3\nvier\n'), new: file('x\ny\n') },
    );
    // -1 +one -4 +four against -1 +one -4 +vier and two new lines.
    expect({ changed, common }).toEqual({ changed: { a: 4, b: 6 }, common: 3 });
    expect(score).toBeCloseTo(1 - 6 / 10);
  });

  test('[FRK-5] a line that one side has twice is in common once', () => {
    expect(story({ f: file('') }, { f: file('x\nx\n') }, { f: file('x\ny\n') })).toMatchObject({ changed: { a: 2, b: 2 }, common: 1 });
  });

  test('[FRK-5] binary content, types, bits and empty files are one line each', () => {
    const changed = story(
      { bin: file('b\0'), kind: file('1\n2\n'), bits: file('1\n') },
      { bin: file('a\0'), kind: { type: 'link', text: 'x' }, bits: file('1\n', 0o755), empty: file('') },
      { bin: file('c\0'), kind: file('1\n2\n'), bits: file('1\n', 0o755) },
    );
    expect(changed).toMatchObject({ changed: { a: 4, b: 2 }, common: 1 });
  });

  test('[FRK-5] nothing changed on either side is no divergence', () => {
    const same = { f: file('1\n') };
    expect(story(same, same, same)).toEqual({ score: 0, changed: { a: 0, b: 0 }, common: 0 });
  });

  test('[FRK-5] where only one side changed something, nothing diverges', () => {
    const [base, more] = [{ f: file('1\n') }, { f: file('1\n2\n') }];
    expect(story(base, base, more)).toEqual({ score: 0, changed: { a: 0, b: 1 }, common: 0 });
    expect(story(base, more, base)).toEqual({ score: 0, changed: { a: 1, b: 0 }, common: 0 });
  });

  const models = threeModels({ permissions: [0o644, 0o755, 0o600], beyondGit: true });

  test('[FRK-5] lies between 0 and 1, the same from either side, and is 0 for the same changes', () => {
    const store = emptyStore();
    fc.assert(
      fc.property(models, ({ base, ours, theirs }) => {
        const there = between(store, base, ours, theirs);
        const back = between(store, base, theirs, ours);
        expect(there.score >= 0 && there.score <= 1).toBe(true);
        expect(back).toEqual({ ...there, changed: { a: there.changed.b, b: there.changed.a } });
        expect(between(store, base, ours, ours).score).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  test('[FRK-5] is 1 when both sides changed something, and other paths', () => {
    const store = emptyStore();
    const below = (directory: string, state: Model): [string, Item][] => [
      [directory, { type: 'directory', permissions: 0o755 }],
      ...[...state].map(([path, item]): [string, Item] => [`${directory}/${path}`, item]),
    ];
    fc.assert(
      fc.property(models, ({ base, ours, theirs }) => {
        const [left, right] = [below('left', base), below('right', base)];
        const mine = between(
          store,
          new Map([...left, ...right]),
          new Map([...below('left', ours), ...right]),
          new Map([...left, ...below('right', theirs)]),
        );
        expect(mine.common).toBe(0);
        expect(mine.score).toBe(mine.changed.a === 0 || mine.changed.b === 0 ? 0 : 1);
      }),
      { numRuns: 100 },
    );
  });
});
