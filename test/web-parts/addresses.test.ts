import { describe, expect, test } from 'vitest';
import { partsOf, placeAt, placesIn } from '../../src/web/shell/place.ts';
import fc from '../support/property.ts';

const at = (address: string): unknown => {
  const { pathname } = new URL(address, 'http://localhost');
  const [root, workspace, ...place] = partsOf(pathname) ?? [];
  return { root, workspace, ...placeAt(place) };
};

/** Names that an address can hold: `.` and `..` mean something else there. */
const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));

describe('addresses of views', () => {
  test('[UI-4] name what they were made of, whatever signs are in it', () => {
    const hostile = fc.oneof(name, fc.constantFrom('a:b', 'a/b', '%', '%41', 'a%20b', '#x?y=1', '50 %', '~', 'c', 's'));
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (workspace, session, a, b) => {
        const places = placesIn(workspace);
        const own = { root: 'w', workspace };
        expect(at(places.sessions())).toEqual({ ...own, view: 'sessions' });
        expect(at(places.session(session))).toEqual({ ...own, view: 'session', session });
        expect(at(places.session(session, b))).toEqual({ ...own, view: 'session', session });
        expect(at(places.checkpoint(session, a, b))).toEqual({ ...own, view: 'session', session, checkpoint: a });
        expect(at(places.diff(session, a))).toEqual({ ...own, view: 'diff', subject: { of: 'checkpoints', session, from: a } });
        expect(at(places.diff(session, a, b))).toEqual({ ...own, view: 'diff', subject: { of: 'checkpoints', session, from: a, to: b } });
        expect(at(places.step(session, a))).toEqual({ ...own, view: 'diff', subject: { of: 'step', session, step: a } });
        expect(at(places.changes(session))).toEqual({ ...own, view: 'diff', subject: { of: 'session', session } });
        expect(at(places.forks(session))).toEqual({ ...own, view: 'forks', session });
        expect(at(places.compare(session, a, b))).toEqual({ ...own, view: 'compare', session, a, b });
        expect(at(places.recover(session))).toEqual({ ...own, view: 'recover', session });
        for (const view of ['rollbacks', 'git', 'search', 'settings'] as const) expect(at(places[view]())).toEqual({ ...own, view });
      }),
    );
  });

  test('[UI-4] that nothing is at are told from those that can not be read', () => {
    for (const path of ['/w/x/nothing', '/w/x/s', '/w/x/git/more', '/w/x/s/y/z', '/w/x/s/y/c', '/w/x/s/y/c/1/2', '/w/x/s//c/1'])
      expect([path, at(path)]).toEqual([path, { root: 'w', workspace: 'x', view: 'nothing' }]);
    expect(at('/w/x/')).toEqual({ root: 'w', workspace: 'x', view: 'sessions' });
    expect(partsOf('/')).toEqual(['']);
    for (const path of ['/w/%', '/w/%ff', '/w/x/s/%zz']) expect(partsOf(path)).toBe(undefined);
  });
});
