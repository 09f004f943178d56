import { describe, expect, test } from 'vitest';
import { NO_RECORD } from '../../src/cli/picker/choices.ts';
import { keysFrom, pasted } from '../../src/cli/picker/keys.ts';
import { nameOf } from '../../src/cli/picker/order.ts';
import { pendingLoadsOf } from '../../src/cli/picker/pending-loads.ts';
import { resize } from '../../src/cli/picker/receive.ts';
import { begin, chosenPlace, levelOf, type MenuLevel, orderOf, rowsOf, type State } from '../../src/cli/picker/state.ts';
import type { RelativePath } from '../../src/model/index.ts';
import { answer, contentsOf, fail, listing, placesOf, prepared, pressed, turn } from './made.ts';

const POSSIBLE = { code: { reason: null }, conversation: { reason: null, before: 1, after: 4 } };

const titles = (state: State): string[] => rowsOf(state).map((row) => (row.is === 'place' ? row.place.title : row.is));

const wished = (state: State): string[] => pendingLoadsOf(state).map(({ is }) => is);

/** The menu of the second newest turn, with its plan. */
const atMenu = (): State => answer(pressed(listing(['one', 'two', 'three']), 'down', 'down', 'enter'), 'weigh', POSSIBLE);

const planned = (state: State, more = {}): State => {
  const level = levelOf(state);
  const order = level?.is === 'menu' ? orderOf(level) : level?.is === 'plan' ? level.order : null;
  if (order === null) throw new Error('nothing to plan');
  return answer(state, 'plan', prepared(order, more));
};

describe('[UI-2] keys in the list', () => {
  test('move, and stop at both ends', () => {
    const state = listing(Array.from({ length: 100 }, (_, at) => `turn ${at + 1}`));
    expect(titles(state).slice(0, 3)).toEqual(['now', 'turn 100', 'turn 99']);
    expect(pressed(state, 'up').at).toBe(0);
    expect(chosenPlace(pressed(state, 'down', 'down'))?.title).toBe('turn 99');
    expect(pressed(state, 'end').at).toBe(100);
    expect(pressed(state, 'end', 'down').at).toBe(100);
    expect(pressed(state, 'end', 'home').at).toBe(0);
    const down = pressed(state, 'page-down');
    expect(down.at).toBeGreaterThan(10);
    expect(pressed(down, 'page-up').at).toBe(0);
  });

  test('the chosen row is always in sight, and only rows in sight are asked about', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `turn ${at + 1}`);
    for (const state of [listing(many), pressed(listing(many), 'end'), pressed(listing(many), 'end', 'page-up', 'up')]) {
      expect(state.at).toBeGreaterThanOrEqual(state.top);
      expect(state.at).toBeLessThan(state.top + 24);
      const [details] = pendingLoadsOf(state);
      expect(details?.is === 'details' && details.places.length).toBeLessThan(24);
    }
  });

  test('filter by all words, of the prompt and of the steps, and choose the newest that fits', () => {
    const state = pressed(listing(['fix the cart', 'fix the tax', 'write tests']), { type: 'Fix' }, { type: ' ' });
    expect(titles(state)).toEqual(['fix the tax', 'fix the cart']);
    expect(wished(state)).toContain('words');
    const known = answer(state, 'words', new Map([['turn 3', 'bash: npm run fix']]));
    expect(titles(known)).toEqual(['write tests', 'fix the tax', 'fix the cart']);
    expect(titles(pressed(known, { type: 'ca' }))).toEqual(['fix the cart']);
    expect(titles(pressed(known, { type: 'ca' }, 'backspace', 'backspace', 'backspace', 'backspace'))).toHaveLength(3);
    expect(pressed(known, 'escape').filter).toBe('');
    expect(pressed(known, 'escape').isOver).toBe(false);
    expect(pressed(known, 'escape', 'escape').isOver).toBe(true);
  });

  test('unfold the steps of a turn, which are read then, and fold them from any of them', () => {
    const folded = pressed(listing(['one', 'two']), 'down');
    const unfolding = pressed(folded, 'right');
    expect(titles(unfolding)).toEqual(['now', 'two', 'remark', 'one']);
    expect(wished(unfolding)).toContain('steps');
    const steps = contentsOf(['step one', 'step two']).places;
    const unfolded = answer(unfolding, 'steps', steps);
    expect(titles(unfolded)).toEqual(['now', 'two', 'step two', 'step one', 'one']);
    expect(titles(pressed(unfolded, 'down', 'down', 'left'))).toEqual(['now', 'two', 'one']);
    expect(chosenPlace(pressed(unfolded, 'down', 'down', 'left'))?.title).toBe('two');
    expect(answer(unfolding, 'steps', []).unfolded.get('turn 2')).toEqual([]);
  });

  test('what is pressed before there is anything to be seen counts when there is', () => {
    const early = pressed(begin({ columns: 80, rows: 24 }), 'down', 'down', { type: 'fix' });
    expect(chosenPlace(early)).toBeNull();
    const state = answer(early, 'contents', contentsOf(['fix it', 'other']));
    expect([state.filter, chosenPlace(state)?.title]).toEqual(['fix', 'fix it']);
    expect(pressed(early, 'escape').isOver).toBe(true);
  });

  test('the present is nowhere to go back to', () => {
    const state = pressed(listing(['one']), 'enter');
    expect(state.levels).toEqual([]);
    expect(state.notice).toContain('present');
    expect(pressed(state, 'down').notice).toBeNull();
  });

  test('what was chosen stays so when everything is read again', () => {
    const state = pressed(listing(['one', 'two']), 'down', 'down', 'ctrl-r');
    expect(wished(state)).toEqual(['contents']);
    const read = answer(state, 'contents', contentsOf(['one', 'two', 'three']));
    expect(chosenPlace(read)?.title).toBe('one');
  });

  test('what was chosen stays so when steps of a turn above it arrive', () => {
    const moved = pressed(listing(['one', 'two']), 'down', 'right', 'down', 'down');
    expect(chosenPlace(moved)?.title).toBe('one');
    const unfolded = answer(moved, 'steps', contentsOf(['step one', 'step two']).places);
    expect(titles(unfolded)).toEqual(['now', 'two', 'step two', 'step one', 'one']);
    expect(chosenPlace(unfolded)?.title).toBe('one');
    expect(chosenPlace(fail(moved, 'steps', 'store-damaged'))?.title).toBe('one');
  });

  test('a step that was chosen stays so when everything is read again, as soon as its turn is', () => {
    const steps = contentsOf(['step one', 'step two']).places;
    const chosen = pressed(answer(pressed(listing(['one', 'two']), 'down', 'right'), 'steps', steps), 'down', 'down');
    expect(chosenPlace(chosen)?.title).toBe('step one');
    const reading = pressed(chosen, 'ctrl-r');
    const read = answer(reading, 'contents', contentsOf(['one', 'two', 'three']));
    expect(chosenPlace(read)?.title).toBe('two');
    expect(chosenPlace(answer(read, 'steps', steps))?.title).toBe('step one');
    expect(chosenPlace(answer(pressed(read, 'ctrl-r'), 'contents', contentsOf(['one', 'two'])))?.title).toBe('two');
    // Whoever moves on meanwhile does not wait for it.
    expect(chosenPlace(answer(pressed(read, 'up'), 'steps', steps))?.title).toBe('three');
    expect(chosenPlace(answer(pressed(reading, 'up'), 'contents', contentsOf(['one', 'two', 'three'])))?.title).toBe('three');
  });

  test('what was chosen stays so when the words of steps let more turns fit', () => {
    const state = pressed(listing(['fix the cart', 'fix the tax', 'write tests']), { type: 'fix' }, 'down');
    expect(chosenPlace(state)?.title).toBe('fix the cart');
    const known = answer(state, 'words', new Map([['turn 3', 'bash: npm run fix']]));
    expect(titles(known)).toEqual(['write tests', 'fix the tax', 'fix the cart']);
    expect(chosenPlace(known)?.title).toBe('fix the cart');
  });

  test('what can not be read is told once, and not asked for again', () => {
    const state = fail(listing(['one']), 'details', 'store-damaged', 'Something is damaged');
    expect(state.notice).toBe('Something is damaged');
    expect(wished(state)).toEqual([]);
  });
});

describe('[UI-2] the menu', () => {
  test('Esc goes back one level at a time', () => {
    const plan = pressed(planned(atMenu()), 'enter');
    expect(plan.levels.map(({ is }) => is)).toEqual(['menu', 'plan']);
    expect(pressed(plan, 'escape').levels.map(({ is }) => is)).toEqual(['menu']);
    expect(pressed(plan, 'escape', 'escape').levels).toEqual([]);
    expect(pressed(plan, 'escape', 'escape').isOver).toBe(false);
    expect(pressed(plan, 'escape', 'escape', 'escape').isOver).toBe(true);
  });

  test('what is not possible says why, and is not done', () => {
    const state = answer(pressed(listing(['one']), 'down', 'enter'), 'weigh', {
      code: { reason: NO_RECORD },
      conversation: { reason: NO_RECORD, before: 0, after: 0 },
    });
    expect((levelOf(state) as MenuLevel).at).toBe(7);
    const tried = pressed(state, 'up', 'enter');
    expect(tried.notice).toContain('no record of the code');
    expect(levelOf(tried)?.is).toBe('menu');
    expect(wished(tried)).toEqual([]);
    expect(pressed(state, 'enter').levels).toEqual([]);
  });

  test('each choice has a plan of its own, made once', () => {
    const state = planned(atMenu());
    expect(wished(state)).toEqual([]);
    const next = pressed(state, 'down');
    expect(wished(next)).toEqual(['plan']);
    expect(wished(pressed(next, 'up'))).toEqual([]);
  });

  test('its plan scrolls, and stays the same plan', () => {
    const state = planned(atMenu(), { lines: Array.from({ length: 100 }, (_, at) => `line ${at}`) });
    expect((levelOf(pressed(state, 'page-down')) as MenuLevel).top).toBeGreaterThan(1);
    expect((levelOf(pressed(state, 'end')) as MenuLevel).top).toBeLessThan(100);
    expect((levelOf(pressed(state, 'end', 'home')) as MenuLevel).top).toBe(0);
    expect(wished(pressed(state, 'end'))).toEqual([]);
  });

  test('edits of the person are kept, unless they say otherwise', () => {
    const state = planned(atMenu(), { hasMine: true, keepsMine: true });
    expect((levelOf(state) as MenuLevel).keepMine).toBeNull();
    const given = pressed(state, { type: 'm' });
    expect((levelOf(given) as MenuLevel).keepMine).toBe(false);
    expect(wished(given)).toEqual(['plan']);
    expect(pressed(planned(atMenu()), { type: 'm' })).toEqual(planned(atMenu()));
  });

  test('conflicts need a choice before anything is done', () => {
    const state = pressed(planned(atMenu(), { conflicts: 1, refusal: 'choose first' }), 'enter');
    expect(pressed(state, 'enter').notice).toBe('choose first');
    const choices = [1, 2, 3, 4, 5].map((times) => {
      let level = levelOf(state);
      let now = state;
      for (let done = 0; done < times; done++) {
        now = pressed(now, { type: 'c' });
        now = wished(now).includes('plan') ? planned(now, { conflicts: 1 }) : now;
        level = levelOf(now);
      }
      return level?.is === 'plan' && level.order.do === 'rewind' ? level.order.onConflict : undefined;
    });
    expect(choices).toEqual(['ours', 'theirs', 'manual', 'skip', null]);
  });

  test('some files are chosen with space, and the plan is limited to them', () => {
    const files = ['a', 'b', 'c'].map((path) => ({ path: path as RelativePath, type: 'restore' as const, lines: null }));
    const menu = planned(pressed(atMenu(), 'down', 'down', 'down', 'down', 'down', 'down'), { files });
    const choosing = pressed(menu, 'enter');
    expect(levelOf(choosing)?.is).toBe('files');
    expect(pressed(choosing, 'enter').notice).toContain('Space');
    const plan = pressed(choosing, { type: ' ' }, 'down', { type: ' ' }, 'down', { type: ' ' }, { type: ' ' }, 'enter');
    const level = levelOf(plan);
    expect(level?.is === 'plan' && level.order.do === 'rewind' && level.order.only).toEqual(['a', 'b']);
    const all = levelOf(pressed(choosing, { type: 'a' }, 'enter'));
    expect(all?.is === 'plan' && all.order.do === 'rewind' && all.order.only).toEqual(['a', 'b', 'c']);
  });
});

describe('[RST-1] carrying out', () => {
  const working = (): State => pressed(planned(atMenu()), 'enter', 'enter');

  test('is done only after a yes to a plan that is there', () => {
    const unplanned = pressed(atMenu(), 'enter', 'enter');
    expect(levelOf(unplanned)?.is).toBe('plan');
    expect(unplanned.notice).toContain('being made');
    expect(levelOf(working())?.is).toBe('work');
    const [load] = pendingLoadsOf(working());
    const order = load?.is === 'work' ? load.prepared.order : null;
    expect(order).toMatchObject({ do: 'rewind', scope: 'both', target: turn(2).checkpoint, keepMine: null });
  });

  test('keys do nothing meanwhile, but for Ctrl-C, which ends it and then leaves', () => {
    expect(pressed(working(), 'escape', 'enter', 'down', { type: 'u' })).toEqual(working());
    const stopping = pressed(working(), 'ctrl-c');
    expect(stopping.isOver).toBe(false);
    expect(pendingLoadsOf(stopping)).toMatchObject([{ is: 'work', isStopping: true }]);
    expect(fail(stopping, 'work', 'interrupted').isOver).toBe(true);
    expect(answer(stopping, 'work', { lines: ['Done'], onward: [], rollback: null })).toMatchObject({
      isOver: true,
      outcomes: [{ lines: ['Done'] }],
    });
  });

  test('on a terminal that is too small to show anything, no key but Ctrl-C does anything, wherever one is', () => {
    const confirming = pressed(planned(atMenu()), 'enter');
    for (const state of [listing(['one', 'two']), atMenu(), confirming]) {
      const small = resize(state, { columns: 38, rows: 7 });
      expect(pressed(small, 'down', 'enter', 'enter', 'enter', 'escape', { type: 'q' }, { paste: 'y' })).toEqual(small);
      expect(pressed(small, 'ctrl-c').isOver).toBe(true);
    }
    expect(levelOf(pressed(resize(resize(confirming, { columns: 80, rows: 7 }), { columns: 80, rows: 24 }), 'enter'))?.is).toBe('work');
    const early = pressed(begin({ columns: 39, rows: 24 }), 'down', 'enter');
    expect(answer(early, 'contents', contentsOf(['one'])).levels).toEqual([]);
  });

  test('when the workspace moved, the new plan is asked for and shown', () => {
    const state = fail(working(), 'work', 'workspace-moved');
    expect(levelOf(state)?.is).toBe('plan');
    expect(state.notice).toContain('nothing was changed');
    expect(wished(state)).toEqual(['plan']);
  });

  test('what came of it can be undone, by a plan; else the picker ends', () => {
    const outcome = { lines: ['Done'], onward: [], rollback: turn(9).checkpoint };
    const state = answer(working(), 'work', outcome);
    expect(levelOf(state)).toMatchObject({ is: 'result', outcome });
    const undoing = pressed(answer(state, 'contents', contentsOf(['one'])), { type: 'u' });
    expect(pendingLoadsOf(undoing).map(({ name }) => name.replace(/^\d+ /, ''))).toEqual([
      nameOf({ do: 'undo', rollback: outcome.rollback as never }),
    ]);
    expect(levelOf(pressed(undoing, 'escape'))?.is).toBe('result');
    for (const key of ['enter', 'escape', { type: 'q' }] as const) expect(pressed(state, key).isOver).toBe(true);
    const done = answer(working(), 'work', { lines: ['Done'], onward: [], rollback: null });
    expect(pressed(done, { type: 'u' })).toEqual(done);
  });
});

describe('[UI-2] what a terminal sends', () => {
  const NONE = Object.fromEntries(
    [
      'upArrow',
      'downArrow',
      'leftArrow',
      'rightArrow',
      'pageDown',
      'pageUp',
      'home',
      'end',
      'return',
      'escape',
      'ctrl',
      'shift',
      'tab',
      'backspace',
      'delete',
      'meta',
    ].map((name) => [name, false]),
  ) as never as Parameters<typeof keysFrom>[1];

  test('keys that come at once are told apart', () => {
    expect(keysFrom('ab\rc', NONE)).toEqual([{ is: 'text', text: 'ab' }, { is: 'enter' }, { is: 'text', text: 'c' }]);
    expect(keysFrom('n\u0004n\u0000', NONE)).toEqual([{ is: 'text', text: 'n' }, { is: 'ctrl-d' }, { is: 'text', text: 'n' }]);
    expect(keysFrom('c', { ...NONE, ctrl: true })).toEqual([{ is: 'ctrl-c' }]);
    expect(keysFrom('constructor', { ...NONE, ctrl: true })).toEqual([]);
    expect(keysFrom('x', { ...NONE, meta: true })).toEqual([]);
  });

  test('letters that come at once are words in the filter, and keys everywhere else', () => {
    const listed = listing(['one', 'two', 'onn']);
    expect(titles(pressed(listed, { type: 'nn' }))).toEqual(['onn']);
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const pane = answer(pressed(listed, 'down', 'tab'), 'sight', { lines, files: [10, 30, 60] });
    expect([pane.paneTop, pressed(pane, { type: 'nn' }).paneTop, pressed(pane, { type: 'nnnp' }).paneTop]).toEqual([0, 30, 30]);
    const files = ['a', 'b'].map((path) => ({ path: path as RelativePath, type: 'restore' as const, lines: null }));
    const choosing = pressed(planned(pressed(atMenu(), 'down', 'down', 'down', 'down', 'down', 'down'), { files }), 'enter');
    expect(levelOf(pressed(choosing, { type: 'a ' }))).toMatchObject({ is: 'files', chosen: new Set([1]) });
  });

  test('what is pasted is searched for, and is no key', () => {
    const listed = listing(['one', 'two', 'onn']);
    expect(titles(pressed(listed, { paste: 'nn' }))).toEqual(['onn']);
    const pane = answer(pressed(listed, 'down', 'tab'), 'sight', { lines: Array.from({ length: 100 }, () => 'line'), files: [10, 30] });
    expect(pressed(pane, { paste: 'n' })).toEqual(pane);
  });

  test('what is pasted is text, however many lines it has', () => {
    expect(pasted('two\r\nlines\u001b[A')).toEqual([{ is: 'pasted', text: 'two lines [A' }]);
    expect(pasted('')).toEqual([]);
    expect(placesOf(listing(['one']))).toHaveLength(1);
  });
});
